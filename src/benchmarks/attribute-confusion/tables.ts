import {
  confusionGroupedRows,
  confusionImages,
  imagesToSwap,
  isAsDescribed,
  questionRows,
  swapRows,
} from "../../analysis/confusion/confusion-images.js";
import { countTargets } from "../../analysis/correlation/grouping.js";
import type { DoneRecord } from "../../core/records.js";
import { partNamed } from "../../core/step.js";
import { csvLine } from "../../tables/cell-table.js";
import { pluralText } from "../../views/number-text.js";
import { countColumn, textColumn } from "../../views/view.js";
import type { BenchmarkTables, BuiltOptions, BuiltText, ConcludeOptions } from "../benchmark.js";
import { type ReportedRun, readRunRecords } from "../run-records.js";

type Cell = string | number | null;

/**
 * Lays out the rows behind an attribute confusion report, so that it can be redone
 * from files: swap.csv with the images that its swap test counts and swap-all.csv with all (card:
 * `correct` is the score of the description, `adversarial` that of the swapped one; `asDescribed` is 1
 * where the image is as described by the reference, and empty where nobody knows), correlation.csv,
 * correlation-precision.csv and correlation-recall.csv (analyze correlation --human-counts tp,fp,fn
 * --target f1, precision, recall: a metric that tells precision from recall has its own of that name),
 * and for each metric that asks about attributes questions-NAME.csv (analyze attributes).
 */
export async function confusionTables(
  run: ReportedRun,
  { unfiltered = false }: Pick<ConcludeOptions, "unfiltered"> = {},
): Promise<BenchmarkTables> {
  const { metrics, images } = confusionImages(await readRunRecords(run));
  const files: Record<string, string> = {};
  const write = (name: string, columns: readonly string[], rows: readonly Cell[][]) => {
    files[name] = [columns, ...rows].map((row) => csvLine(row)).join("");
  };
  const known = new Map<string, number>(
    images.flatMap((one) =>
      one.reference === undefined ? [] : [[one.image.key, Number(isAsDescribed(one))]],
    ),
  );
  for (const [name, some] of [
    ["swap.csv", imagesToSwap(images, { unfiltered })],
    ["swap-all.csv", images],
  ] as const) {
    write(
      name,
      [
        ...["id", "metric", "domain", "generator", "prompt", "comparison", "asDescribed"],
        ...["correct", "adversarial"],
      ],
      swapRows(some, metrics).map(({ id, metric, set, generator, prompt, original, swapped }) => [
        ...[id, metric, set, generator, prompt, "attribute-swap", known.get(id) ?? null],
        ...[original, swapped],
      ]),
    );
  }
  if (known.size > 0) {
    for (const target of countTargets) {
      const suffix = target === "f1" ? "" : `-${target}`;
      write(
        `correlation${suffix}.csv`,
        ["id", "prompt", "tp", "fp", "fn", ...metrics.map(({ id }) => id)],
        confusionGroupedRows(images, metrics, target).map(({ id, prompt = "", counts, scores }) => [
          ...[id, prompt, ...(counts ?? [null, null, null]), ...scores],
        ]),
      );
    }
  }
  for (const metric of metrics) {
    const rows = questionRows(images, metric);
    if (rows.length === 0) continue;
    write(
      `questions-${partNamed([metric.id])}.csv`,
      ["image", "prompt", "entity", "attribute", "kind", "probability"],
      rows.map(({ image, prompt = "", entity, attribute, kind, probability }) => [
        ...[image, prompt, entity, attribute, kind, probability],
      ]),
    );
  }
  const [direction, ...others] = new Set(metrics.map((metric) => metric.direction));
  return {
    files,
    card: { file: "swap.csv", direction: others.length === 0 ? direction : undefined },
  };
}

/** The descriptions that `build` wrote, by set. */
export async function builtDescriptions(
  run: ReportedRun,
  { name, folder, drawableBy, flags }: BuiltOptions,
): Promise<BuiltText> {
  const done: DoneRecord<"description">[] = [];
  const notWritten: string[] = [];
  for await (const one of run.ofType("description")) {
    if (one.status === "done") done.push(one);
    else notWritten.push(one.detail);
  }
  const sets = [...new Set(done.map(({ set }) => set))];
  const [example] = done;
  return {
    parts: [
      `${pluralText(done.length, "description")} written${notWritten.length === 0 ? "" : `, ${pluralText(notWritten.length, "other candidate")} left out`}; in ${folder}`,
      "",
      {
        title: "Descriptions",
        columns: [textColumn("set"), countColumn("descriptions")],
        rows: sets.map((set) => [set, done.filter((one) => one.set === set).length]),
      },
      ...(example === undefined
        ? []
        : ["", `For example: ${example.text}`, `  swapped:   ${example.swapped}`]),
      ...(notWritten[0] === undefined ? [] : ["", `Not written, the first: ${notWritten[0]}`]),
    ],
    json: { run: name, descriptions: done.length, unscored: notWritten.length },
    next:
      drawableBy === undefined && flags.descriptions?.[0] !== undefined
        ? ["generate", "--run", name, "--samples", "1", "--wanted", "wanted.csv"]
        : ["generate", "--run", name, "--model", drawableBy ?? "lab:painter-c", "--samples", "1"],
  };
}
