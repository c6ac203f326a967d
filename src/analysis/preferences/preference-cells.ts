import { InputError } from "../../core/errors.js";
import { coded, codesTogether, picked, rowsByCode } from "../../core/row-codes.js";
import { type TextColumn, textAt, textColumn } from "../../core/text-column.js";
import type { PairedCount, PairedCounts } from "../../stats/bradley-terry.js";
import type { Clustering } from "../../stats/influence-error.js";
import type { ClusterUnit } from "../inference/intervals.js";
import { RowNames } from "../inference/prompt-clusters.js";

/** Which of two images somebody preferred. */
export interface PreferenceRow {
  /** The model whose image was shown first. */
  readonly a: string;
  /** The model whose image was shown second. */
  readonly b: string;
  /** null where nobody answered. */
  readonly preferred: "a" | "b" | "tie" | null;
  readonly prompt?: string | undefined;
  readonly annotator?: string | undefined;
}

/** Rows of preferences by column. */
export interface PreferenceTable
  extends Readonly<Record<"a" | "b" | "prompt" | "annotator", TextColumn>> {
  /** The place of what is preferred in `outcomes`; -1 where nobody answered. */
  readonly preferred: Int8Array;
  /** How many comparisons each row stands for; default: one. */
  readonly count?: Float64Array | undefined;
  /** Whether annotators share prompts, where the prompts are no longer there. */
  readonly arePromptsShared?: boolean | undefined;
}

/** How many comparisons some rows stand for. */
export const comparisonsIn = (
  { count }: Pick<PreferenceTable, "count">,
  rows: Int32Array,
): number =>
  count === undefined ? rows.length : picked(count, rows).reduce((sum, its) => sum + its, 0);

/** What may be preferred: one of two images, or neither. */
export const outcomes = ["a", "b", "tie"] as const;

export const preferenceTable = (rows: readonly PreferenceRow[]): PreferenceTable => ({
  a: textColumn(rows.map(({ a }) => a)),
  b: textColumn(rows.map(({ b }) => b)),
  prompt: textColumn(rows.map(({ prompt }) => prompt)),
  annotator: textColumn(rows.map(({ annotator }) => annotator)),
  preferred: Int8Array.from(rows, ({ preferred }) =>
    preferred === null ? -1 : outcomes.indexOf(preferred),
  ),
});

/** Comparisons that nothing tells apart, by column: those of one cluster, two models, one order and one outcome. */
export interface ComparedCells {
  readonly cluster: Int32Array;
  /** The place of its pair. */
  readonly pair: Int32Array;
  /** 1 where the pair's first model was shown first, else 0. */
  readonly isFirst: Uint8Array;
  /** The place of its outcome. */
  readonly outcome: Uint8Array;
  readonly count: Float64Array;
}

/** Compared pairs: the counts of each, and the cells that they are made of. */
export interface Compared {
  readonly cells: ComparedCells;
  /** The places of each pair's models. */
  readonly places: readonly { readonly a: number; readonly b: number }[];
  readonly pairs: readonly PairedCount[];
}

/** Columns by which intervals of preferences may be clustered. */
export const preferenceUnits = ["annotator", "prompt", "both"] as const;
export type PreferenceUnit = (typeof preferenceUnits)[number];

/** How annotators may be taken: all alike, or each as reliable as found. */
export const raterKinds = ["alike", "crowd-bt"] as const;
export type RaterKind = (typeof raterKinds)[number];

/** Which comparisons are drawn together. */
export interface PreferenceClusters extends Clustering {
  readonly clusteredBy: ClusterUnit;
  /** Where rows share annotators and prompts: those of each cluster, which is one of both. */
  readonly ways?: { readonly annotator: Clustering; readonly prompt: Clustering };
}

/**
 * Whose comparisons are drawn together: an annotator's, else those of one prompt, else each; or as is
 * wanted.
 *
 * @throws InputError where what is wanted is not in the rows.
 */
export function preferenceClusters(
  { annotator, prompt }: Pick<PreferenceTable, "annotator" | "prompt">,
  rows: Int32Array,
  wanted?: PreferenceUnit,
): PreferenceClusters {
  const hasPeople = textsIn(annotator, rows) > 1;
  const hasPrompts = textsIn(prompt, rows) > 0;
  if (wanted !== undefined && rows.length > 0) {
    const lacking = [
      ...(wanted !== "prompt" && !hasPeople ? ["two annotators or more"] : []),
      ...(wanted !== "annotator" && !hasPrompts ? ["prompts"] : []),
    ];
    if (lacking.length > 0) {
      throw new InputError(`Expected ${lacking.join(" and ")} for --cluster ${wanted}`, {
        hint: "The columns annotator and prompt name them; --map annotator=my_column renames one.",
      });
    }
  }
  const by = (column: TextColumn): Clustering => {
    const its = { codes: picked(column.codes, rows), names: column.names };
    const { cluster, count } = new RowNames({ id: ownNames(rows.length), prompt: its }).clusters();
    return { cluster, clusters: count };
  };
  if (wanted === "both") {
    return {
      ...by(together(annotator, prompt)),
      clusteredBy: "annotator",
      ways: { annotator: by(annotator), prompt: by(prompt) },
    };
  }
  return (wanted ?? (hasPeople ? "annotator" : "prompt")) === "annotator"
    ? { ...by(annotator), clusteredBy: "annotator" }
    : { ...by(prompt), clusteredBy: hasPrompts ? "prompt" : "row" };
}

/** How many different texts some rows have. */
export function textsIn({ codes, names }: TextColumn, rows: Int32Array): number {
  const isThere = new Uint8Array(names.length);
  for (const row of rows) if ((codes[row] ?? -1) >= 0) isThere[codes[row] ?? 0] = 1;
  return isThere.reduce((sum, one) => sum + one, 0);
}

/** A name for each of so many rows; made where one is asked for. */
const ownNames = (count: number): TextColumn => ({
  codes: Int32Array.from({ length: count }, (_, at) => at),
  count,
  get names() {
    return Array.from({ length: count }, (_, at) => String(at));
  },
});

/** A name for both texts of a row; none where it lacks one. */
function together(one: TextColumn, other: TextColumn): TextColumn {
  const { codes, count } = codesTogether(coded(one), coded(other));
  const names = new Array<string>(count);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] ?? -1;
    if (code >= 0) names[code] ??= JSON.stringify([textAt(one, row), textAt(other, row)]);
  }
  return { codes, names };
}

/** Counts answered rows; a pair's first model is the one that stands first in `names`. */
export function comparedCells(
  table: PreferenceTable,
  {
    rows,
    names,
    cluster: { cluster: ofRow, clusters },
  }: {
    readonly rows: Int32Array;
    readonly names: readonly string[];
    readonly cluster: Clustering;
  },
): Compared {
  const placeOf = new Map(names.map((name, at) => [name, at]));
  const places = (column: TextColumn) => column.names.map((name) => placeOf.get(name) ?? 0);
  const [ofA, ofB] = [places(table.a), places(table.b)];
  const one = Int32Array.from(rows, (row) => ofA[table.a.codes[row] ?? 0] ?? 0);
  const other = Int32Array.from(rows, (row) => ofB[table.b.codes[row] ?? 0] ?? 0);
  const models = names.length;
  const pairs = Float64Array.from(one, (a, at) => {
    const b = other[at] ?? 0;
    return a < b ? a * models + b : b * models + a;
  });
  const met = [...new Set(pairs)].sort((first, second) => first - second);
  const pairOf = new Map(met.map((pair, at) => [pair, at]));
  // Of one pair, outcome and order.
  const kind = Int32Array.from(rows, (row, at) => {
    const isFirst = (one[at] ?? 0) < (other[at] ?? 0);
    const preferred = table.preferred[row] ?? -1;
    const outcome = preferred === 2 ? 2 : (preferred === 0) === isFirst ? 0 : 1;
    return ((pairOf.get(pairs[at] ?? 0) ?? 0) * outcomes.length + outcome) * 2 + Number(isFirst);
  });
  // By cluster, pair, outcome and order, so that the order of the rows changes nothing.
  const byKind = rowsByCode({ codes: kind, count: met.length * outcomes.length * 2 }).rows;
  const inOrder = picked(
    byKind,
    rowsByCode({ codes: picked(ofRow, byKind), count: clusters }).rows,
  );
  const first = inOrder.filter((row, at) => {
    const last = inOrder[at - 1];
    return last === undefined || ofRow[row] !== ofRow[last] || kind[row] !== kind[last];
  });
  const count = new Float64Array(first.length);
  let cell = -1;
  for (const row of inOrder) {
    if (row === first[cell + 1]) cell += 1;
    count[cell] = (count[cell] ?? 0) + (table.count?.[rows[row] ?? 0] ?? 1);
  }
  const kinds = picked(kind, first);
  const cells: ComparedCells = {
    cluster: picked(ofRow, first),
    pair: kinds.map((each) => Math.floor(each / (2 * outcomes.length))),
    outcome: Uint8Array.from(kinds, (each) => Math.floor(each / 2) % outcomes.length),
    isFirst: Uint8Array.from(kinds, (each) => each % 2),
    count,
  };
  const ofPairs = met.map((pair) => ({ a: Math.floor(pair / models), b: pair % models }));
  const { wins, losses, ties } = weightedCounts({ cells, places: ofPairs })().counts;
  return {
    cells,
    places: ofPairs,
    pairs: ofPairs.map(({ a, b }, pair): PairedCount => {
      return { a, b, wins: wins[pair] ?? 0, losses: losses[pair] ?? 0, ties: ties[pair] ?? 0 };
    }),
  };
}

/**
 * Counts the outcomes of each pair, and how often the first shown was preferred (a tie is half), where
 * each cell counts as often as its weight says.
 */
export function weightedCounts({
  cells,
  places,
}: Pick<Compared, "cells" | "places">): (weights?: Float64Array) => WeightedCounts {
  const a = Int32Array.from(places, (pair) => pair.a);
  const b = Int32Array.from(places, (pair) => pair.b);
  const pairs = places.length;
  // Wins of all pairs, then losses, then ties; then the same of pairs shown the other way round.
  const half = outcomes.length * pairs;
  const slot = cells.pair.map(
    (pair, cell) =>
      (cells.isFirst[cell] === 1 ? 0 : half) + (cells.outcome[cell] ?? 0) * pairs + pair,
  );
  const size = cells.count;
  return (weights) => {
    const sums = new Float64Array(2 * half);
    for (let cell = 0; cell < slot.length; cell++) {
      const at = slot[cell] ?? 0;
      sums[at] =
        (sums[at] ?? 0) + (size[cell] ?? 0) * (weights === undefined ? 1 : (weights[cell] ?? 0));
    }
    const counts = sums.subarray(0, half);
    let first = 0;
    let all = 0;
    for (let at = 0; at < half; at++) {
      const [straight, turned] = [sums[at] ?? 0, sums[half + at] ?? 0];
      const share = shares[Math.floor(at / pairs)] ?? 0;
      first += share * straight + (1 - share) * turned;
      all += straight + turned;
      counts[at] = straight + turned;
    }
    const [wins, losses, ties] = [
      counts.subarray(0, pairs),
      counts.subarray(pairs, 2 * pairs),
      counts.subarray(2 * pairs),
    ];
    return { counts: { a, b, wins, losses, ties }, firstShown: first / all };
  };
}

interface WeightedCounts {
  readonly counts: PairedCounts;
  /** NaN where nothing counts. */
  readonly firstShown: number;
}

/** Share of a win that each of `outcomes` is for the first of a pair. */
export const shares = [1, 0, 0.5] as const;
