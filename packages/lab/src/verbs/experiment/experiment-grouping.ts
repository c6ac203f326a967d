import { loadData } from "touchstone-t2i/internal/benchmarks/load-data.js";
import { command } from "touchstone-t2i/internal/cli/command-line/command.js";
import { table } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { wrap } from "touchstone-t2i/internal/cli/terminal/wrap.js";
import { append } from "touchstone-t2i/internal/core/arrays.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import { asJson } from "touchstone-t2i/internal/core/json.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { objectives } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { countText, fixedText, pluralText } from "touchstone-t2i/internal/views/number-text.js";
import { z } from "zod";
import type { AnswerRow } from "../../experiments/ensemble/answers.js";
import {
  type GroupingConclusion,
  type GroupingDesign,
  groupingWorth,
} from "../../experiments/ensemble/grouping-worth.js";
import { answersOrLab, answersOrLabArguments } from "./answers-of.js";

const count = z.int().positive();
const positive = z.number().positive();

const schema = z.strictObject({
  version: count,
  model: z.literal("lab:judge"),
  embedder: z.literal("lab:dual-encoder-balanced"),
  prompts: z.strictObject({ pool: count, count, draws: count }),
  worlds: z.record(
    z.string(),
    z.strictObject({ styles: z.array(z.string()).min(1), pairs: count }),
  ),
  poolShare: z.number().min(0).max(1),
  labels: z.array(count).min(1),
  labelDraws: count,
  clusters: z.array(count).min(1),
  temperatures: z.array(positive).min(1),
  lambdas: z.array(positive).min(1),
  objectives: z.array(z.enum(objectives)).min(1),
  supportPerCluster: count,
  restarts: count,
  iterations: count,
  resamples: count,
});

/** Reads the design of data/ensemble/lab-grouping.yaml; every seed in it is derived from `seed`. */
const loadGroupingDesign = (
  seed: number,
): GroupingDesign &
  Pick<z.output<typeof schema>, "model" | "prompts" | "version"> & {
    readonly worlds: Readonly<
      Record<string, { readonly styles: string[]; readonly pairs: number; readonly seed: number }>
    >;
  } => {
  const design = loadData("ensemble/lab-grouping.yaml", schema);
  const worlds = Object.entries(design.worlds).map(([name, world]) => [
    name,
    { ...world, seed: randomFrom(seed, "world", name).integer(2 ** 31) },
  ]);
  return { ...design, seed, worlds: Object.fromEntries(worlds) };
};

export default command({
  description:
    "Asks whether it is the grouping or the regularisation that helps when prompts are weighed by " +
    "kinds of images. Number of groups, temperature, objective and lambda are chosen by leave-one-out " +
    "likelihood for every arm: one group, groups of images, the same groups dealt at random (placebo), " +
    "and, where a column kind says what a pair truly shows, groups by the truth. " +
    "data/ensemble/lab-grouping.yaml sets it up. FILE is a table of answers as for lab experiment ensemble.",
  examples: [
    "touchstone lab experiment grouping answers.jsonl",
    "touchstone lab experiment grouping --lab --run lab-grouping --seed 1234",
  ],
  arguments: {
    ...answersOrLabArguments,
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
    pairs: {
      kind: "number",
      integer: true,
      minimum: 100,
      description: "with --lab: try N pairs of each world; another experiment than the one set up",
    },
  },
  async run({ given, environment, output, words }) {
    const { run, seed, pairs } = given;
    const { read } = await answersOrLab("grouping", given, environment);
    const set = loadGroupingDesign(seed);
    const design = {
      ...set,
      worlds: Object.fromEntries(
        Object.entries(set.worlds).map(([name, world]) => [
          name,
          { ...world, pairs: pairs ?? world.pairs },
        ]),
      ),
    };
    const rows =
      run === undefined
        ? await read()
        : await labRows(design, { run, command: words(), environment, output });
    const names = [...new Set(rows.map(({ world }) => world ?? "all"))];
    const worlds = new Map<string, GroupingConclusion>();
    for (const name of names) {
      output.progress(`Fitting and judging: ${name}`);
      const own = rows.filter(({ world }) => (world ?? "all") === name);
      const fits = fitting(own, design);
      worlds.set(name, groupingWorth(own, fits));
    }
    output.resultJson(asJson({ design, worlds: Object.fromEntries(worlds) }));
    output.result(groupingText(worlds, output.style.width));
    output.nextCommand(words({ json: true }));
  },
});

/** The design without the settings that a table is too small for. @throws InputError where none is left. */
function fitting(rows: readonly AnswerRow[], design: GroupingDesign): GroupingDesign {
  const width = rows[0]?.probabilities.length ?? 0;
  const pool = Math.floor(design.poolShare * rows.filter(({ label }) => label !== null).length);
  const embedded = rows.every(({ embedding }) => embedding !== null);
  const labels = design.labels.filter((count) => count <= pool);
  if (width < 2 || labels.length === 0 || !embedded) {
    throw new InputError(
      `Expected two prompts or more, an embedding in every row and ${design.labels[0] ?? 1} pairs to fit on but ` +
        `received ${width} prompts, ${embedded ? "embeddings" : "rows without one"} and ${pool} pairs`,
      {
        hint: "touchstone calibrate LABELS --embedder MODEL --answers-out FILE writes such a table",
      },
    );
  }
  const { count, draws } = design.prompts;
  const isAll = width <= count;
  return {
    ...design,
    labels,
    // With no more prompts than a draw takes, every draw is the same.
    prompts: { count: Math.min(count, width), draws: isAll ? 1 : draws },
    labelDraws: isAll ? design.labelDraws * draws : design.labelDraws,
  };
}

async function labRows(
  design: ReturnType<typeof loadGroupingDesign>,
  where: Parameters<typeof import("./lab-judging.js").labJudging>[0] extends infer Given
    ? Omit<Given, "drawn">
    : never,
): Promise<readonly AnswerRow[]> {
  const [{ labAnswers }, { keepAnswers, labJudging }] = await Promise.all([
    import("./lab-answers.js"),
    import("./lab-judging.js"),
  ]);
  const { pool: count } = design.prompts;
  const judging = labJudging({ drawn: { count, seed: design.seed }, ...where });
  const rows: AnswerRow[] = [];
  for (const world of Object.keys(design.worlds)) {
    const answers = await labAnswers(world, { design, ...judging });
    append(
      rows,
      answers.rows.map((row, at) => ({ ...row, kind: answers.kinds[at] })),
    );
  }
  await keepAnswers(rows, judging);
  return rows;
}

/** Renders the effect of grouping in each world, for a terminal. */
const groupingText = (worlds: ReadonlyMap<string, GroupingConclusion>, width: number): string =>
  [...worlds]
    .flatMap(([name, { n, captions, pool, kinds, fits, byLabels }]) => [
      wrap(
        `${name}: ${pluralText(n, "pair")} of ${pluralText(captions, "caption")} that nothing was fitted on, ` +
          `labels drawn from ${countText(pool)}; ${kinds === 0 ? "no true kinds known" : pluralText(kinds, "true kind")}; ${countText(fits)} fits.`,
        width,
      ),
      table(
        [
          { title: "labels", align: "right" },
          { title: "effect of", isEssential: true },
          { title: "NLL", align: "right", isEssential: true },
          { title: "accuracy", align: "right", isEssential: true },
          { title: "ECE", align: "right" },
        ],
        byLabels.flatMap(({ labels, contrasts }) =>
          contrasts.map(({ says, metrics }, at) => [
            at === 0 ? countText(labels) : "",
            says,
            changeText(metrics.nll),
            changeText(metrics.accuracy),
            changeText(metrics.ece),
          ]),
        ),
        width,
      ),
    ])
    .concat(
      wrap(
        "Each row is a difference with its 95 % interval, which draws captions and draws of prompts: " +
          "negative log-likelihood (NLL) and expected calibration error (ECE) below 0 are better, accuracy above 0.",
        width,
      ),
    )
    .join("\n\n");

const changeText = ({ value, low, high }: Estimate): string =>
  value === null
    ? "–"
    : `${fixedText(value, 3)} [${fixedText(low ?? Number.NaN, 3)}, ${fixedText(high ?? Number.NaN, 3)}]`;
