import { retention } from "../../analysis/pairs/retention.js";
import { type EvaluatedMetric, type TripletRow, triplets } from "../../analysis/pairs/triplets.js";
import type { CardRow } from "../../analysis/trust-card/trust-card-rows.js";
import { isProbability } from "../../core/metric.js";
import type { RecordOf } from "../../core/records.js";
import { shellWord } from "../../core/shell-word.js";
import { csvLine } from "../../tables/cell-table.js";
import type { BenchmarkCards, BenchmarkTables, ConcludeOptions } from "../benchmark.js";
import { isFromLab, type ReportedRun } from "../run-records.js";
import { readCountedRecords, refuseNothingKept, runFilter } from "./run-filter.js";

/**
 * The rows of trust cards: triplets, controls and reversed conflicts, those that passed the filter where the run has one;
 * where the truth is known, too, whether an image shows its prompt's text.
 *
 * @throws IncompleteError where the filter kept no triplet.
 */
export async function tripletCards(
  run: ReportedRun,
  { name, unfiltered = false }: ConcludeOptions,
): Promise<BenchmarkCards> {
  const records = await readCountedRecords(run);
  const filter = unfiltered ? undefined : runFilter(records, run.recipe);
  if (filter !== undefined) {
    const { selection, description } = filter;
    const kept = retention({ ...records, selection, intervals: { resamples: 1 } });
    const command = `touchstone card ${shellWord(name)} --unfiltered`;
    refuseNothingKept(kept, {
      description,
      hint: `For conclusions about all of them, unfiltered: ${command}`,
    });
  }
  const truth = records.scores.find((score) => score.step.startsWith("check-truth@"));
  const selection = filter?.selection ?? { name: "unfiltered" };
  const shown = triplets({ ...records, selection });
  const known =
    truth === undefined
      ? []
      : triplets({
          ...records,
          selection: { name: "truth-filtered", metric: truth.metric, atLeast: 1 },
        }).rows;
  return {
    selection:
      filter === undefined ? "all pairs of images" : "pairs of images that passed its filter",
    isFromLab: isFromLab(records),
    metrics: shown.metrics.map((metric) => {
      const keys = scoreKeys(records.scores, metric);
      const own = (rows: readonly TripletRow[]) => rows.filter((row) => row.metric === metric.id);
      const pairs = own(shown.rows).map(
        ({ id, prompt, domain, knob, comparison, correct, adversarial, images }): CardRow => ({
          id,
          prompt,
          domain,
          knob,
          comparison,
          correct,
          adversarial,
          record: keys.get(images.correct),
        }),
      );
      return {
        metric,
        rows: [...pairs, ...labelled(own(known).filter(isOfATriplet), metric, keys)],
      };
    }),
  };
}

/** A reversed conflict has the images of both controls, which may fail the filter for their partners. */
const isOfATriplet = ({ comparison }: TripletRow) => comparison !== "reversed";

/** Each image once: those that are right and those that are wrong of the prompt's text. */
function labelled(
  rows: readonly TripletRow[],
  metric: EvaluatedMetric,
  keys: ReadonlyMap<string, string>,
): CardRow[] {
  const found = new Map<string, CardRow>();
  for (const { prompt, images, correct, adversarial } of rows) {
    const sides = [
      { image: images.correct, score: correct, label: 1 },
      { image: images.adversarial, score: adversarial, label: 0 },
    ] as const;
    for (const { image, score, label } of sides) {
      const id = `${image} ${prompt}`;
      found.set(id, {
        id,
        prompt,
        image,
        score,
        label,
        record: keys.get(image),
        ...(isProbability(metric) ? { probability: score } : {}),
      });
    }
  }
  return [...found.values()];
}

/** The key of each image's score, by that of the image. */
function scoreKeys(
  scores: readonly RecordOf<"score">[],
  { metric, model, convention }: EvaluatedMetric,
): Map<string, string> {
  const own = scores.filter(
    (score) =>
      score.step.startsWith("score-images") &&
      score.metric === metric &&
      score.model === model &&
      score.convention === convention,
  );
  return new Map(own.map(({ of, key }) => [of, key]));
}

const columns = [
  ...["id", "metric", "domain", "category", "knob", "prompt"],
  ...["correct", "adversarial"],
] as const;

/**
 * Lays out the triplets behind a prototypicality report as contrastive.csv (`analyze contrastive`): those
 * that passed the run's filter, or all with `unfiltered`. Controls are not among them.
 */
export async function tripletTables(
  run: ReportedRun,
  { unfiltered = false, keepFrom }: Pick<ConcludeOptions, "unfiltered" | "keepFrom"> = {},
): Promise<BenchmarkTables> {
  const records = await readCountedRecords(run);
  const filter = unfiltered ? undefined : runFilter(records, run.recipe, keepFrom);
  const { rows } = triplets({
    ...records,
    selection: filter?.selection ?? { name: "unfiltered" },
  });
  const contrastive = rows.filter(({ comparison }) => comparison === "contrastive");
  return {
    files: {
      "contrastive.csv": [columns, ...contrastive.map((row) => columns.map((name) => row[name]))]
        .map((cells) => csvLine(cells))
        .join(""),
    },
  };
}
