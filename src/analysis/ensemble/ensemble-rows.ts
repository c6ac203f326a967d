import { InputError } from "../../core/errors.js";
import { listAt, listLength, type NumberLists, numberLists } from "../../core/number-lists.js";
import { picked, pickedTexts } from "../../core/row-codes.js";
import { type TextColumn, textAt, textColumn } from "../../core/text-column.js";
import { RowNames } from "../inference/prompt-clusters.js";

/** For what a row of answers is there: to fit weights, to judge them, to find groups of images. */
export const ensembleSplits = ["validation", "test", "support"] as const;
export type EnsembleSplit = (typeof ensembleSplits)[number];

/** One pair of images as all prompts judged it. */
export interface EnsembleRow {
  readonly id: string;
  readonly split: EnsembleSplit;
  /** People's label; null where there is none. */
  readonly label: 0 | 1 | null;
  /** P(label is 1) by each prompt in the same order, null for no answer; may be empty for support. */
  readonly probabilities: readonly (number | null)[];
  /** The embedding of the image or pair, of any length. */
  readonly embedding: readonly number[] | null;
  /** p(z | x), in place of an embedding. */
  readonly membership: readonly number[] | null;
  /** Rows of one are not independent: intervals and tests keep them together. */
  readonly prompt?: string | undefined;
}

/** Rows of answers by column; a list is empty where there is none. */
export interface EnsembleTable
  extends Readonly<Record<"id" | "split" | "prompt", TextColumn>>,
    Readonly<Record<"probabilities" | "embedding" | "membership", NumberLists>> {
  readonly label: Float64Array;
}

export const ensembleTable = (rows: readonly EnsembleRow[]): EnsembleTable => ({
  id: textColumn(rows.map(({ id }) => id)),
  split: textColumn(rows.map(({ split }) => split)),
  prompt: textColumn(rows.map(({ prompt }) => prompt)),
  label: Float64Array.from(rows, ({ label }) => label ?? Number.NaN),
  probabilities: numberLists(rows.map(({ probabilities }) => probabilities)),
  embedding: numberLists(rows.map(({ embedding }) => embedding ?? [])),
  membership: numberLists(rows.map(({ membership }) => membership ?? [])),
});

/** Rows of one split with a label and at least one answer, as flat arrays. */
export interface EnsemblePart {
  readonly rows: number;
  readonly labels: Float64Array;
  /** At [row * prompts + a]; NaN for no answer. */
  readonly probabilities: Float64Array;
  /** rows x dimensions, all 0 for a row without one; empty without embeddings. */
  readonly points: Float64Array;
  /** rows x groups; null where it is not given. */
  readonly membership: Float64Array | null;
  /** Cluster of each row: drawn and swapped as a whole. */
  readonly units: TextColumn;
  /** Rows of the split that lack a label or all answers. */
  readonly unscored: number;
  /** Rows that lack an embedding while others have one. */
  readonly withoutEmbedding: number;
}

export interface EnsembleData {
  readonly prompts: number;
  /** Length of the embeddings; 0 without any. */
  readonly dimensions: number;
  /** Length of the given memberships; 0 without one. */
  readonly groups: number;
  readonly validation: EnsemblePart;
  readonly test: EnsemblePart;
  /** Embeddings of the support rows, flat. */
  readonly support: Float64Array;
  readonly clusteredBy: "prompt" | "row";
}

/**
 * Sorts rows of answers into what is fitted and what is judged.
 *
 * @throws InputError where rows differ in their numbers of prompts, embedding or membership, where
 *   only some have a membership, or where no test row has a label and an answer.
 */
export function ensembleData(table: EnsembleTable): EnsembleData {
  const { id, split, prompt, probabilities, embedding, membership } = table;
  const all = Int32Array.from(id.codes.keys());
  const rows = new RowNames(table).inOrderOfId(all, all);
  const isOf = (wanted: EnsembleSplit) => (row: number) => textAt(split, row) === wanted;
  const asked = rows.filter((row) => !isOf("support")(row));
  const has = (lists: NumberLists) => (row: number) => listLength(lists, row) > 0;
  const first = asked[0] ?? -1;
  const prompts = listLength(probabilities, first);
  const dimensions = listLength(embedding, rows.find(has(embedding)) ?? -1);
  const groups = listLength(membership, first);
  const unlike = (row: number, expected: string, received: number) =>
    new InputError(
      `Expected ${expected} for id "${textAt(id, row)}", as in other rows, but received ${received}`,
    );
  for (const row of asked) {
    const [answers, shares] = [listLength(probabilities, row), listLength(membership, row)];
    if (answers !== prompts) throw unlike(row, `${prompts} probabilities`, answers);
    if (shares !== groups) throw unlike(row, `a membership of ${groups} groups`, shares);
  }
  for (const row of rows.filter(has(embedding))) {
    const length = listLength(embedding, row);
    if (length !== dimensions) throw unlike(row, `an embedding of ${dimensions} numbers`, length);
  }
  const clusteredBy = asked.every((row) => (prompt.codes[row] ?? -1) >= 0) ? "prompt" : "row";
  const units = clusteredBy === "prompt" ? prompt : id;
  const part = (of: EnsembleSplit) =>
    partOf(table, { rows: rows.filter(isOf(of)), prompts, dimensions, groups, units });
  const test = part("test");
  if (test.rows === 0) {
    throw new InputError("Expected rows of split test with a label and an answer but found none", {
      hint: "Weights are fitted on the rows of split validation and judged on those of split test",
    });
  }
  return {
    prompts,
    dimensions,
    groups,
    clusteredBy,
    test,
    validation: part("validation"),
    support: flat(embedding, rows.filter(isOf("support")).filter(has(embedding)), dimensions),
  };
}

function partOf(
  { label, probabilities, embedding, membership }: EnsembleTable,
  {
    rows,
    prompts,
    dimensions,
    groups,
    units,
  }: Pick<EnsembleData, "prompts" | "dimensions" | "groups"> & {
    readonly rows: Int32Array;
    readonly units: TextColumn;
  },
): EnsemblePart {
  const scored = rows.filter(
    (row) =>
      !Number.isNaN(label[row]) && listAt(probabilities, row).some((each) => !Number.isNaN(each)),
  );
  return {
    rows: scored.length,
    labels: picked(label, scored),
    probabilities: flat(probabilities, scored, prompts),
    points: flat(embedding, scored, dimensions),
    membership: groups === 0 ? null : shares(flat(membership, scored, groups), groups),
    units: pickedTexts(units, scored),
    unscored: rows.length - scored.length,
    withoutEmbedding:
      dimensions === 0 ? 0 : scored.filter((row) => listLength(embedding, row) === 0).length,
  };
}

/** The lists of some rows one after the other, 0 where a row has none. */
function flat(lists: NumberLists, rows: Int32Array, width: number): Float64Array {
  const all = new Float64Array(rows.length * width);
  for (const [at, row] of rows.entries()) all.set(listAt(lists, row), at * width);
  return all;
}

/** The same memberships, those of each row adding up to 1. */
function shares(membership: Float64Array, groups: number): Float64Array {
  for (let at = 0; at < membership.length; at += groups) {
    const its = membership.subarray(at, at + groups);
    const sum = its.reduce((total, each) => total + each, 0);
    for (let group = 0; group < groups; group++) its[group] = (its[group] ?? 0) / sum;
  }
  return membership;
}
