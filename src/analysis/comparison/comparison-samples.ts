import { largestOf, smallestOf } from "../../core/arrays.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import { exactSum } from "../../stats/exact-sum.js";
import { roundWeights } from "../../stats/planned-mean.js";
import { areAllDrawn, type RowDraws, someDraws } from "../inference/row-draws.js";
import { inOrder } from "../inference/sorted-names.js";
import { outcomeOf } from "../pairs/pair-sums.js";
import type { TieOptions } from "../pairs/score-ties.js";

/** One image of one model: what a metric and, of some, people said of it. */
export interface ComparisonRow {
  readonly model: string;
  readonly prompt: string;
  /** null = unscored. */
  readonly score: number | null;
  /** More is better. null or missing = nobody was asked. */
  readonly human?: number | null | undefined;
}

/** Rows of images by column; numbers are NaN where there is none. */
export interface ComparisonColumns {
  readonly model: TextColumn;
  readonly prompt: TextColumn;
  readonly score: Float64Array;
  /** Undefined where nobody was asked about any image. */
  readonly human?: Float64Array | undefined;
  /** Whether `human` holds probabilities of yes, as `analyze raters` estimates them, and not what was said. */
  readonly areProbabilities?: boolean | undefined;
  /** How rows were drawn for people, where `label plan` drew them. */
  readonly draws?: RowDraws | undefined;
}

/** The same rows by column. */
export const inColumns = (rows: readonly ComparisonRow[] | ComparisonColumns): ComparisonColumns =>
  "model" in rows
    ? rows
    : {
        model: textColumn(rows.map(({ model }) => model)),
        prompt: textColumn(rows.map(({ prompt }) => prompt)),
        score: Float64Array.from(rows, ({ score }) => score ?? Number.NaN),
        human: Float64Array.from(rows, ({ human }) => human ?? Number.NaN),
      };

/** Some rows of a table, in the order in which they are named. */
export const someRows = (
  { model, prompt, score, human, draws, areProbabilities }: ComparisonColumns,
  rows: Int32Array,
): ComparisonColumns => {
  const numbers = (values: Float64Array) =>
    Float64Array.from(rows, (row) => values[row] ?? Number.NaN);
  return {
    model: textsOf(model, rows),
    prompt: textsOf(prompt, rows),
    score: numbers(score),
    human: human && numbers(human),
    ...(draws && { draws: someDraws(draws, rows) }),
    ...(areProbabilities && { areProbabilities }),
  };
};

/** Some rows of a column. */
export const textsOf = ({ codes, names }: TextColumn, rows: Int32Array): TextColumn => ({
  codes: rows.map((row) => codes[row] ?? -1),
  names,
});

/** The rows of a model. */
export function rowsOfModel({ model: { codes, names } }: ComparisonColumns, name: string) {
  const wanted = names.indexOf(name);
  return Int32Array.from(codes.keys()).filter((row) => codes[row] === wanted);
}

/**
 * The scored images sorted by model, then by prompt: those of one model for one prompt are a cell. Models and
 * prompts go by their numbers in order of their names.
 */
export interface Samples {
  /** The models that have rows. */
  readonly models: readonly string[];
  /** The prompts with a score of any model. */
  readonly prompts: readonly string[];
  /** Rows of each model, scored or not. */
  readonly rows: Int32Array;
  /** Model m has the cells start[m] up to, but not with, start[m + 1]. */
  readonly start: Int32Array;
  /** The prompt of each cell; it has the scores from[cell] up to, but not with, from[cell + 1]. */
  readonly prompt: Int32Array;
  readonly from: Int32Array;
  readonly scores: Float64Array;
  /** In the same order; NaN where nobody was asked. */
  readonly human: Float64Array;
  /** The row that each score stands in. */
  readonly rowOf: Int32Array;
  /** The sum of each cell's scores, in whatever order they come. */
  readonly sums: Float64Array;
  /** The lowest and the highest score; undefined where there is none. */
  readonly ends: readonly [low: number, high: number] | undefined;
  /** How one cell fares against another, where the scores themselves are not there. */
  readonly wins?: (one: number, other: number, sign: 1 | -1) => Wins;
  readonly areProbabilities?: boolean;
  /** How each was drawn, in the same order, where `label plan` drew rows. */
  readonly draws?: RowDraws;
  /** How many images each stands for, where all were drawn; else each is itself. */
  readonly weights?: Float64Array;
}

/** Sorts rows by model and prompt; those without a score are counted alone. */
export function samplesOf({
  model,
  prompt,
  score,
  human,
  draws,
  areProbabilities,
}: ComparisonColumns): Samples {
  const length = score.length;
  const counts = new Int32Array(model.names.length);
  const isScored = new Uint8Array(prompt.names.length);
  for (let row = 0; row < length; row++) {
    const its = model.codes[row] ?? 0;
    counts[its] = (counts[its] ?? 0) + 1;
    if (!Number.isNaN(score[row])) isScored[prompt.codes[row] ?? 0] = 1;
  }
  const models = inOrder(model.names.filter((_, code) => (counts[code] ?? 0) > 0));
  const prompts = prompt.names.filter((_, code) => isScored[code] === 1).sort();
  const modelOf = numbersOf(model.names, models);
  const promptOf = numbersOf(prompt.names, prompts);

  const scored = Int32Array.from(score.keys()).filter((row) => !Number.isNaN(score[row]));
  const byPrompt = sortedBy(scored, (row) => promptOf[prompt.codes[row] ?? 0] ?? 0, prompts.length);
  const rowOf = sortedBy(byPrompt, (row) => modelOf[model.codes[row] ?? 0] ?? 0, models.length);

  const start = new Int32Array(models.length + 1);
  const cells = new Int32Array(rowOf.length);
  const from = new Int32Array(rowOf.length + 1);
  let count = 0;
  let [lastModel, lastPrompt] = [-1, -1];
  for (let at = 0; at < rowOf.length; at++) {
    const row = rowOf[at] ?? 0;
    const its = modelOf[model.codes[row] ?? 0] ?? 0;
    const about = promptOf[prompt.codes[row] ?? 0] ?? 0;
    if (its !== lastModel || about !== lastPrompt) {
      cells[count] = about;
      from[count] = at;
      count += 1;
      [lastModel, lastPrompt] = [its, about];
    }
    start[its + 1] = count;
  }
  for (let its = 0; its < models.length; its++) {
    start[its + 1] = Math.max(start[its + 1] ?? 0, start[its] ?? 0);
  }
  from[count] = rowOf.length;
  const starts = from.slice(0, count + 1);
  const pick = (column: Float64Array | undefined) =>
    Float64Array.from(rowOf, (row) => column?.[row] ?? Number.NaN);
  const its = draws && someDraws(draws, rowOf);
  const scores = pick(score);
  return {
    ...(areProbabilities && { areProbabilities }),
    ...(its && { draws: its }),
    ...(its && rowOf.length > 0 && areAllDrawn(its) && { weights: roundWeights(its).total }),
    models,
    prompts,
    rows: Int32Array.from(models, (name) => counts[model.names.indexOf(name)] ?? 0),
    start,
    prompt: cells.slice(0, count),
    from: starts,
    scores,
    human: pick(human),
    rowOf,
    sums: Float64Array.from({ length: count }, (_, cell) =>
      exactSum(scores, starts[cell], starts[cell + 1]),
    ),
    ends: scores.length === 0 ? undefined : [smallestOf(scores), largestOf(scores)],
  };
}

/** Number of each name among some of them; -1 for the others. */
export function numbersOf(names: readonly string[], some: readonly string[]): Int32Array {
  const numbers = new Map(some.map((name, number) => [name, number]));
  return Int32Array.from(names, (name) => numbers.get(name) ?? -1);
}

/** Rows in the order of a number from 0 to `size` - 1; those of one number keep theirs (a counting sort). */
export function sortedBy(
  rows: Int32Array,
  numberOf: (row: number) => number,
  size: number,
): Int32Array {
  const next = new Int32Array(size + 1);
  for (const row of rows) {
    const after = numberOf(row) + 1;
    next[after] = (next[after] ?? 0) + 1;
  }
  for (let number = 0; number < size; number++) {
    next[number + 1] = (next[number + 1] ?? 0) + (next[number] ?? 0);
  }
  const sorted = new Int32Array(rows.length);
  for (const row of rows) {
    const number = numberOf(row);
    const place = next[number] ?? 0;
    sorted[place] = row;
    next[number] = place + 1;
  }
  return sorted;
}

/** The scores of a cell. */
export const scoresOf = ({ scores, from }: Samples, cell: number) =>
  scores.subarray(from[cell], from[cell + 1]);

/** People's ratings of a cell's images, without those that nobody rated. */
export const ratedOf = ({ human, from }: Samples, cell: number) =>
  human.subarray(from[cell], from[cell + 1]).filter((rating) => !Number.isNaN(rating));

export function hasRating({ human, from }: Samples, cell: number): boolean {
  for (let at = from[cell] ?? 0; at < (from[cell + 1] ?? 0); at++) {
    if (!Number.isNaN(human[at])) return true;
  }
  return false;
}

/** How many images a cell stands for, a score each; 1 where all there are have scores. */
export const weightOf = ({ weights, from }: Samples, cell: number) =>
  weights?.[from[cell] ?? 0] ?? 1;

/** The cells of a model. */
export function cellsOf({ start }: Samples, model: number): { from: number; to: number } {
  return { from: start[model] ?? 0, to: start[model + 1] ?? 0 };
}

/** How a model fares against another on one prompt. */
export interface Duel {
  /** Its mean minus the other's. */
  readonly difference: number;
  /** The share of all pairs of their images in which its is the better one, ties half. */
  readonly win: number;
  /** The share of pairs that tie. */
  readonly tie: number;
}

/** Of all pairs of two models' images, how many the one wins, and how many tie. */
export interface Wins {
  readonly wins: number;
  readonly ties: number;
}

interface DuelRule extends TieOptions {
  /** -1 where less is better. */
  readonly sign: 1 | -1;
}

/** Both models' numbers for one prompt compared. What ties: `isTie`. */
export const duel = (one: ArrayLike<number>, other: ArrayLike<number>, rule: DuelRule): Duel => ({
  difference: meanOf(one) - meanOf(other),
  ...shares(winsOf(one, other, rule), one.length * other.length),
});

const shares = ({ wins, ties }: Wins, pairs: number) => ({
  win: (wins + ties / 2) / pairs,
  tie: ties / pairs,
});

function winsOf(
  one: ArrayLike<number>,
  other: ArrayLike<number>,
  { sign, tieTolerance }: DuelRule,
): Wins {
  const rule = { direction: sign === 1 ? "higher" : "lower", tieTolerance } as const;
  let wins = 0;
  let ties = 0;
  for (let its = 0; its < one.length; its++) {
    for (let others = 0; others < other.length; others++) {
      const outcome = outcomeOf(one[its] ?? 0, other[others] ?? 0, rule);
      if (outcome === "pass") wins += 1;
      if (outcome === "tie") ties += 1;
    }
  }
  return { wins, ties };
}

/** How a model fares against another by the metric, on the prompts that both have scores of, in their order. */
export interface Duels {
  readonly prompt: Int32Array;
  readonly difference: Float64Array;
  readonly win: Float64Array;
  readonly tie: Float64Array;
  /** The cells of either model. */
  readonly cells: readonly [one: Int32Array, other: Int32Array];
  /** How many prompts each stands for, where all were drawn. */
  readonly weight?: Float64Array;
}

/** Whether the images of two cells were drawn together, as those of a prompt are by `label plan --for compare`. */
export function areDrawnTogether({ draws, from }: Samples, one: number, other: number): boolean {
  if (draws === undefined) return true;
  const [a, b] = [from[one] ?? 0, from[other] ?? 0];
  return (
    Object.is(draws.weight[a], draws.weight[b]) &&
    draws.stratum[a] === draws.stratum[b] &&
    draws.round[a] === draws.round[b]
  );
}

export function duels(
  samples: Samples,
  [a, b]: readonly [a: number, b: number],
  rule: DuelRule,
): Duels {
  const cells = sharedCells(samples, [a, b]);
  const [ones, others] = cells;
  const difference = new Float64Array(ones.length);
  const win = new Float64Array(ones.length);
  const tie = new Float64Array(ones.length);
  const countOf = (cell: number) => (samples.from[cell + 1] ?? 0) - (samples.from[cell] ?? 0);
  const meanIn = (cell: number) => (samples.sums[cell] ?? 0) / countOf(cell);
  for (const [at, cell] of ones.entries()) {
    const against = others[at] ?? 0;
    const wins =
      samples.wins?.(cell, against, rule.sign) ??
      winsOf(scoresOf(samples, cell), scoresOf(samples, against), rule);
    const found = shares(wins, countOf(cell) * countOf(against));
    difference[at] = meanIn(cell) - meanIn(against);
    win[at] = found.win;
    tie[at] = found.tie;
  }
  return {
    ...(samples.weights && { weight: pairWeights(samples, cells) }),
    prompt: ones.map((cell) => samples.prompt[cell] ?? 0),
    difference,
    win,
    tie,
    cells,
  };
}

/** Weights of prompts: that of their draw; where images were drawn apart, of both draws. */
function pairWeights(samples: Samples, [ones, others]: Duels["cells"]): Float64Array {
  const isTogether = ones.every((cell, at) => areDrawnTogether(samples, cell, others[at] ?? 0));
  return Float64Array.from(ones, (cell, at) =>
    isTogether
      ? weightOf(samples, cell)
      : weightOf(samples, cell) * weightOf(samples, others[at] ?? 0),
  );
}

/** The cells of the prompts that two models share. */
function sharedCells(
  samples: Samples,
  [a, b]: readonly [a: number, b: number],
): readonly [one: Int32Array, other: Int32Array] {
  const [one, other] = [cellsOf(samples, a), cellsOf(samples, b)];
  const most = Math.min(one.to - one.from, other.to - other.from);
  const found = [new Int32Array(most), new Int32Array(most)] as const;
  let shared = 0;
  let [at, beside] = [one.from, other.from];
  while (at < one.to && beside < other.to) {
    const apart = (samples.prompt[at] ?? 0) - (samples.prompt[beside] ?? 0);
    if (apart === 0) {
      found[0][shared] = at;
      found[1][shared] = beside;
      shared += 1;
    }
    if (apart <= 0) at += 1;
    if (apart >= 0) beside += 1;
  }
  return [found[0].subarray(0, shared), found[1].subarray(0, shared)];
}

export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0;
  return sum;
}

export const meanOf = (values: ArrayLike<number>) => sumOf(values) / values.length;
