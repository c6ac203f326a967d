import { largestOf, smallestOf } from "../../core/arrays.js";
import { picked } from "../../core/row-codes.js";
import type { TextColumn } from "../../core/text-column.js";
import { inOrder } from "../inference/sorted-names.js";
import { numbersOf, type Samples, sortedBy } from "./comparison-samples.js";

/** Sums of images by column. */
export interface ComparisonCells
  extends Readonly<Record<"model" | "prompt" | "other", TextColumn>> {
  /** Rows that sum one model's images for one prompt. */
  readonly cells: Int32Array;
  /** Rows that count how these fare against those of an `other` model. */
  readonly against: Int32Array;
  /** Images, scored or not. */
  readonly images: Float64Array;
  readonly scored: Float64Array;
  /** The sum of scores, rounded once; the lowest and the highest. */
  readonly sum: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Pairs of images in which the model's scores above the other's, the same, and below. */
  readonly above: Float64Array;
  readonly ties: Float64Array;
  readonly below: Float64Array;
}

/** What sums tell: the same, to the last bit, as the images that they sum. */
export function samplesOfCells(table: ComparisonCells): Samples {
  const { model, prompt, other, cells, against, images, scored } = table;
  const rows = new Float64Array(model.names.length);
  for (const row of cells) {
    const code = model.codes[row] ?? 0;
    rows[code] = (rows[code] ?? 0) + (images[row] ?? 0);
  }
  const known = cells.filter((row) => (scored[row] ?? 0) > 0);
  const isThere = new Uint8Array(prompt.names.length);
  for (const row of known) isThere[prompt.codes[row] ?? 0] = 1;
  const models = inOrder(model.names.filter((_, code) => (rows[code] ?? 0) > 0));
  const prompts = prompt.names.filter((_, code) => isThere[code] === 1).sort();
  const modelOf = numbersOf(model.names, models);
  const promptOf = numbersOf(prompt.names, prompts);
  const modelAt = (row: number) => modelOf[model.codes[row] ?? 0] ?? 0;
  const promptAt = (row: number) => promptOf[prompt.codes[row] ?? 0] ?? 0;
  const order = sortedBy(sortedBy(known, promptAt, prompts.length), modelAt, models.length);
  const start = new Int32Array(models.length + 1);
  const from = new Int32Array(order.length + 1);
  order.forEach((row, cell) => {
    start[modelAt(row) + 1] = cell + 1;
    from[cell + 1] = (from[cell] ?? 0) + (scored[row] ?? 0);
  });
  for (let at = 0; at < models.length; at++) {
    start[at + 1] = Math.max(start[at + 1] ?? 0, start[at] ?? 0);
  }
  const its = order.map((row) => promptAt(row));
  const otherOf = numbersOf(other.names, models);
  const place = (of: number, about: number) =>
    (start[of] ?? 0) + placeIn(its.subarray(start[of], start[of + 1]), about);
  // Each two cells once, whichever of them comes first.
  const keyOf = (one: number, two: number) => one * order.length + two;
  const met = new Float64Array(table.above.length);
  for (const row of against) {
    const about = promptAt(row);
    const against = otherOf[other.codes[row] ?? 0] ?? 0;
    met[row] = keyOf(place(modelAt(row), about), place(against, about));
  }
  const inTurn = against.slice().sort((a, b) => (met[a] ?? 0) - (met[b] ?? 0));
  const keys = picked(met, inTurn);
  const low = picked(table.low, order);
  return {
    models,
    prompts,
    rows: Int32Array.from(models, (name) => rows[model.names.indexOf(name)] ?? 0),
    start,
    prompt: its,
    from,
    scores: new Float64Array(),
    human: new Float64Array(),
    rowOf: new Int32Array(),
    sums: picked(table.sum, order),
    ends: low.length === 0 ? undefined : [smallestOf(low), largestOf(picked(table.high, order))],
    wins(one, two, sign) {
      const straight = placeIn(keys, keyOf(one, two));
      const isStraight = keys[straight] === keyOf(one, two);
      const row = inTurn[isStraight ? straight : placeIn(keys, keyOf(two, one))] ?? 0;
      const won = isStraight === (sign === 1) ? table.above : table.below;
      return { wins: won[row] ?? 0, ties: table.ties[row] ?? 0 };
    },
  };
}

/** Where a number stands among sorted ones, or would. */
function placeIn(sorted: Int32Array | Float64Array, wanted: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
