import { numbersOf, type Samples, sortedBy } from "../../analysis/comparison/comparison-samples.js";
import { inOrder } from "../../analysis/inference/sorted-names.js";
import { defaultTieTolerance } from "../../analysis/pairs/score-ties.js";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { picked } from "../../core/row-codes.js";
import { type TextColumn, textAt } from "../../core/text-column.js";
import { numeric, optionalText } from "../../tables/columns.js";
import { metricColumns } from "../../tables/metric-names.js";
import { outcomeSql } from "../sums/pair-sums.js";
import { rows, type SumsSpec, split } from "../sums/sums-query.js";
import { lacking, readSums } from "../sums/sums-table.js";
import type { Inputs } from "../table-options.js";
import { type GivenComparison, metricNamed } from "./columns.js";

const kinds = {
  by_metric: optionalText,
  by_model: optionalText,
  by_prompt: optionalText,
  other: optionalText,
  scored: numeric,
  lowest: numeric,
  highest: numeric,
  above: numeric,
  ties: numeric,
  below: numeric,
};

const by = { by_metric: "metric", by_model: "model", by_prompt: "prompt" };

/** Images, summed by metric, model and prompt, and their pairs by prompt. */
export const sums: SumsSpec<typeof kinds> = {
  name: "compare",
  texts: { named: "metric", model: "model", prompt: "prompt" },
  numbers: { score: "score" },
  derived: () => [{ metric: "COALESCE(named, '')" }],
  note: ({ text }) => {
    const facts = Object.keys(metricColumns).map(
      (column) => `COALESCE(CONCAT(CAST(${column} AS ${text}), ' '), '')`,
    );
    return (
      "This query reads the columns model, prompt, score and metric. A table without metric: touchstone query --print " +
      `compare --from "(SELECT *, 'NAME' AS metric FROM scores) one"; results of score, where model, convention and the ` +
      `like tell metrics of one name apart: --from "(SELECT input_model AS model, text AS prompt, value AS score, ` +
      `CONCAT(${facts.join(", ")}) AS metric FROM scores) one"`
    );
  },
  exact: { part: "cells", sums: [{ name: "score", of: "score", where: "score IS NOT NULL" }] },
  parts: ({ count, number }) => ({
    cells: {
      from: split,
      by,
      of: { scored: "COUNT(score)", lowest: "MIN(score)", highest: "MAX(score)" },
    },
    against: {
      from: `(SELECT one.metric, one.model, one.prompt, two.model AS other,
  ${outcomeSql("one.score", "two.score", number(defaultTieTolerance))} AS outcome
  FROM ${rows} one JOIN ${rows} two
    ON one.prompt = two.prompt AND one.metric = two.metric
  WHERE one.model < two.model AND one.score IS NOT NULL AND two.score IS NOT NULL) met`,
      by: { ...by, other: "other" },
      of: Object.fromEntries(
        ["above", "ties", "below"].map((each) => [each, count(`outcome = '${each}'`)]),
      ),
    },
  }),
  kinds,
  required: { cells: { by_model: "model", by_prompt: "prompt" } },
  only: {
    "tie-tolerance": defaultTieTolerance,
    ...Object.fromEntries(
      ["scores", "humans", "baseline", "gate", "not-worse", "power", "by"].map((each) => [
        each,
        null,
      ]),
    ),
    self: [],
    answered: [],
  },
};

/** @throws InputError as `readSums` does; where they are of several metrics, or not of the one that was named. */
export async function readSamples(given: GivenComparison, inputs: Inputs) {
  const { columns, count, part, sum } = await readSums(sums, [given, inputs]);
  const names = inOrder(
    Array.from(part("cells"), (row) => textAt(columns.by_metric, row) ?? "").filter(Boolean),
  );
  const metric = metricNamed(names, { given, called: "score" });
  const isIts = (row: number) => names.length === 0 || textAt(columns.by_metric, row) === metric;
  const cells = part("cells").filter(isIts);
  const against = part("against").filter(isIts);
  const { above, ties, below, scored, by_prompt: prompt } = columns;
  const met = new Map<number, readonly [pairs: number, before: number]>();
  for (const row of cells) {
    const [pairs, before] = met.get(prompt.codes[row] ?? -1) ?? [0, 0];
    const its = scored[row] ?? 0;
    met.set(prompt.codes[row] ?? -1, [pairs + its * before, before + its]);
  }
  for (const row of against) {
    const [pairs, before] = met.get(prompt.codes[row] ?? -1) ?? [0, 0];
    const counted = (above[row] ?? 0) + (ties[row] ?? 0) + (below[row] ?? 0);
    met.set(prompt.codes[row] ?? -1, [pairs - counted, before]);
  }
  if ([...met.values()].some(([pairs]) => pairs !== 0)) throw lacking(sums, given);
  const samples = samplesOfCells({
    ...columns,
    model: columns.by_model,
    prompt: columns.by_prompt,
    cells,
    against,
    images: count,
    sum: sum("score"),
    low: columns.lowest,
    high: columns.highest,
  });
  return { metric, samples };
}

/** Sums of images by column. */
interface ComparisonCells extends Readonly<Record<"model" | "prompt" | "other", TextColumn>> {
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
function samplesOfCells(table: ComparisonCells): Samples {
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
