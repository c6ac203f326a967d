import { type ComparisonConclusion, comparisonOf } from "../../analysis/comparison/comparison.js";
import { comparisonGate } from "../../analysis/comparison/comparison-gate.js";
import {
  inColumns,
  type Samples,
  samplesOf,
} from "../../analysis/comparison/comparison-samples.js";
import { marginGate } from "../../analysis/comparison/margin-gate.js";
import { marginPlan } from "../../analysis/comparison/margin-plan.js";
import { promptScores } from "../../analysis/comparison/prompt-scores.js";
import { GateError, InputError } from "../../core/errors.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import { quoted } from "../../tables/format.js";
import { countText } from "../../views/number-text.js";
import type { ImagePair, ImageSide } from "../../views/view.js";
import { conclusion } from "../conclusion.js";
import { namedDirection, namedDirectionText, parseRanges } from "../shared-options.js";
import type { Inputs } from "../table-options.js";
import { type ComparisonTable, type GivenComparison, readComparisonTable } from "./columns.js";
import { gateText } from "./gate-view.js";
import { planView } from "./margin-view.js";
import { givenMargin, mostModels, options } from "./options.js";
import { gateByPrompt } from "./prompt-gate.js";
import { comparisonView } from "./view.js";

export default conclusion({
  title: "Comparison",
  description:
    "Tests which of several text-to-image models is better by a metric: means, differences " +
    "and win rates with intervals, paired tests adjusted for the number of pairs, and a " +
    "verdict. Reads JSONL, JSON, CSV or Parquet with the columns model, prompt, score and, " +
    "optionally, human (a rating; higher is better): a few ratings then correct the metric " +
    "(prediction-powered inference), and image (a file), of which --out page.html shows a pair. Results " +
    "of score are read as they are. An empty or null score is unscored. Exit 4 means a " +
    "missed gate. With --not-worse MARGIN it says of each model whether it is shown to be as good as in " +
    "--baseline; without a baseline, --power says how many prompts that takes. --fail-under alone is the lowest acceptable mean of every model. With " +
    "--baseline (the .json of an earlier compare, or its table), no model may be " +
    "significantly worse on the shared prompts; with --fail-under too, each change must be " +
    "at least that: -0.02 allows a drop of 0.02. A model that can't be judged misses the " +
    "gate. --gate per-prompt judges each prompt of repeated samples by itself. `touchstone example compare` prints a sample.",
  examples: [
    "touchstone compare scores.csv",
    "touchstone compare wide.csv --scores A=score_a,B=score_b",
    "touchstone compare scores-a.jsonl scores-b.jsonl --metric vqa-score",
    "touchstone compare scores.csv --baseline previous.json --not-worse 0.02 --out summary.md",
    "touchstone compare scores.csv --not-worse 0.02 --power 0.8",
    "touchstone compare scores.csv --baseline previous.csv --gate per-prompt",
    "touchstone compare scores.csv --baseline previous.json --fail-under -0.02 --out summary.md",
    "touchstone example compare | touchstone compare - --json",
  ],
  example: {
    shows:
      "three image models' scores on thirty prompts, twelve of them rated by people, one unscored",
  },
  page: "comparison.html",
  options,
  async sums() {
    const { readSamples, sums } = await import("./sums.js");
    return {
      sums,
      async read(given, inputs) {
        const { metric, samples } = await readSamples(given, inputs);
        checkModels(textColumn(samples.models), given);
        return { ...ofSums, metric, range: rangeOf(given), samples };
      },
    };
  },
  alsoReads: ({ baseline, self, answered }) => [
    ...(baseline === undefined ? [] : [baseline]),
    ...self,
    ...answered,
  ],
  async read(given, inputs): Promise<Compared> {
    givenMargin(given);
    const range = rangeOf(given);
    const table = await readComparisonTable(given, inputs);
    checkModels(table.columns.model, given);
    return { ...table, range, samples: undefined };
  },
  async conclude(
    { range, columns, samples: summed, notes, by, image, demands, ...table },
    given,
    inputs,
  ) {
    const { "fail-under": failUnder, "tie-tolerance": tieTolerance, power } = given;
    const margin = givenMargin(given);
    const named = namedDirection(table.metric);
    const direction = given.direction ?? table.direction ?? named ?? "higher";
    const isGuessed = direction === named && (given.direction ?? table.direction) === undefined;
    const ends = range ?? table.measure.range;
    const self = await Promise.all(
      given.self.map(async (file) => (await readOther(given, file, inputs)).columns),
    );
    if (margin !== undefined && power !== undefined) {
      return marginPlan(columns, { ...margin, self, power, direction, range: ends });
    }
    const samples = summed ?? samplesOf(columns);
    const compared = comparisonOf(columns, samples, {
      ...given,
      metric: table.metric,
      direction,
      range,
      measure: { ...table.measure, ...(range === undefined ? {} : { range }) },
      tieTolerance,
    });
    const guessed = isGuessed ? [namedDirectionText(table.metric)] : [];
    const warnings = [...guessed, ...notes, ...compared.warnings];
    const found = { ...compared, warnings };
    const baseline = await baselineOf(given, inputs);
    const gate =
      given.gate !== undefined
        ? gateByPrompt({ columns, image, demands }, found, baseline)
        : margin !== undefined && baseline !== undefined
          ? marginGate(columns, found, {
              ...margin,
              baseline,
              self,
              by,
              range: ends,
              isT: given.interval === "t",
            })
          : baseline === undefined && failUnder === undefined
            ? undefined
            : comparisonGate(columns, found, { ...given, range, baseline, failUnder });
    // They are as long as the table, and only a file or --json holds them.
    const scores =
      summed === undefined
        ? { scores: { toJSON: () => promptScores(samples) } }
        : { scores: null, scoresReason: "the table holds sums, no scores of single images" };
    return { ...found, ...scores, gate };
  },
  view: (found, { baseline: baselineName, "images-at": imagesAt }) =>
    "perModel" in found
      ? planView(found)
      : comparisonView(found, found.gate && { gate: found.gate, baselineName, imagesAt }),
  async figure(found) {
    if ("perModel" in found) return undefined;
    const { comparisonFigure } = await import("./figure.js");
    return comparisonFigure(found);
  },
  pair: (found, table) => ("perModel" in found ? undefined : comparedPair(found, table)),
  finish(found, { baseline }) {
    if ("perModel" in found || found.gate?.passed !== false) return;
    throw new GateError(gateText(found.gate, baseline));
  },
});

interface Compared extends ComparisonTable {
  readonly range: readonly [number, number] | undefined;
  /** Where the table held sums in place of images. */
  readonly samples: Samples | undefined;
}

const rangeOf = ({ range }: { readonly range: string | undefined }) =>
  range === undefined ? undefined : parseRanges([range])("");

/** What a table of sums lacks of one of images. */
const ofSums: Omit<ComparisonTable, "metric"> = {
  columns: inColumns([]),
  image: undefined,
  by: undefined,
  direction: undefined,
  measure: {},
  notes: [],
};

/** @throws InputError where there are so many models that their column likely holds ids. */
function checkModels(
  { codes, names }: TextColumn,
  given: Readonly<Record<"many-models", boolean>>,
): void {
  if (given["many-models"]) return;
  const models = new Set(codes);
  if (models.size <= mostModels) return;
  const pairs = (models.size * (models.size - 1)) / 2;
  const [first, second] = [...models].map((code) => names[code]);
  throw new InputError(
    `Expected at most ${mostModels} models but the column model has ${countText(models.size)} values, such as ` +
      `${quoted(first)} and ${quoted(second)}: it looks like an id, and ${countText(pairs)} pairs would be tested`,
    {
      hint: "Name the column with the models: --map model=my_column; or compare them all: --many-models",
    },
  );
}

/** An earlier conclusion, or a table read as this one is; undefined where none was given. */
async function baselineOf(
  given: GivenComparison & { readonly baseline: string | undefined },
  inputs: Inputs,
) {
  const { baseline: file } = given;
  if (file === undefined) return undefined;
  if (isConclusion(file)) {
    // What checks JSON is most of what a comparison loads; most have no baseline.
    const { readBaseline } = await import("./baseline.js");
    return readBaseline(file, inputs);
  }
  const before = await readOther(given, file, inputs);
  return { kind: "table", ...before, rows: before.columns } as const;
}

/** Another table, read as this one is. */
const readOther = (given: GivenComparison, file: string, inputs: Inputs) =>
  readComparisonTable(
    { ...given, by: undefined, file: [file], answered: [], format: undefined, join: undefined },
    inputs,
  );

/** Whether the baseline is what an earlier `compare` wrote, and not a table. */
const isConclusion = (file: string) => /\.json$/i.test(file);

/**
 * The two images to look at: of the two best models with images, the prompt on which they differ most by
 * the metric. One on which people order them the other way comes first.
 */
export function comparedPair(
  { models, direction }: Pick<ComparisonConclusion, "models" | "direction">,
  { columns, image, metric }: Pick<ComparisonTable, "columns" | "image" | "metric">,
): ImagePair | undefined {
  if (image === undefined) return undefined;
  const { model, prompt, score, human } = columns;
  const sign = direction === "higher" ? 1 : -1;
  const shown = new Set<number>();
  const isShown = (row: number) => (image.codes[row] ?? -1) >= 0 && !Number.isNaN(score[row]);
  for (const [row, code] of model.codes.entries()) if (isShown(row)) shown.add(code);
  const mean = (code: number) =>
    sign * (models[model.names[code] ?? ""]?.mean.value ?? Number.NEGATIVE_INFINITY);
  const [first, second] = [...shown].sort((a, b) => mean(b) - mean(a));
  if (first === undefined || second === undefined) return undefined;
  const rowOf = (code: number) => {
    const rows = new Map<number, number>();
    for (const [row, its] of model.codes.entries()) {
      if (its === code && isShown(row)) rows.set(prompt.codes[row] ?? -1, row);
    }
    return rows;
  };
  const others = rowOf(second);
  let chosen:
    | { readonly rows: readonly [number, number]; readonly isAsPeople: boolean | null }
    | undefined;
  let most = 0;
  for (const [about, row] of rowOf(first)) {
    const other = others.get(about);
    if (other === undefined) continue;
    const apart = (score[row] ?? 0) - (score[other] ?? 0);
    if (apart === 0) continue;
    const people = (human?.[row] ?? Number.NaN) - (human?.[other] ?? Number.NaN);
    const isAsPeople =
      Number.isNaN(people) || people === 0 ? null : Math.sign(people) === Math.sign(sign * apart);
    const isAgainst = isAsPeople === false;
    const wasAgainst = chosen?.isAsPeople === false;
    if (chosen !== undefined && wasAgainst && !isAgainst) continue;
    if (chosen !== undefined && wasAgainst === isAgainst && Math.abs(apart) <= most) continue;
    chosen = { rows: [row, other], isAsPeople };
    most = Math.abs(apart);
  }
  if (chosen === undefined) return undefined;
  const side = (row: number): ImageSide => ({
    name: model.names[model.codes[row] ?? -1] ?? "",
    image: image.names[image.codes[row] ?? -1] ?? "",
    score: score[row] ?? Number.NaN,
    human: human === undefined || Number.isNaN(human[row]) ? null : (human[row] ?? null),
  });
  const {
    rows: [one, other],
    isAsPeople,
  } = chosen;
  const sides = [side(one), side(other)] as const;
  const names = sides.map(({ name }) => name).join(" and ");
  return {
    text: prompt.names[prompt.codes[one] ?? -1] ?? "",
    sides,
    isAsPeople,
    why:
      isAsPeople === false
        ? `Where ${metric} orders ${names} most clearly against people`
        : `Where ${names} differ most by ${metric}`,
    metric,
  };
}
