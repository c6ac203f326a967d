import { InputError } from "../../core/errors.js";
import type { PairedCount, PairedCounts } from "../../stats/bradley-terry.js";
import type { Clustering } from "../../stats/two-way-error.js";
import type { ClusterUnit } from "../inference/intervals.js";
import { promptClusters } from "../inference/prompt-clusters.js";

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

/** Comparisons that nothing tells apart: of one cluster, two models, one order and one outcome. */
export interface ComparedCell {
  readonly cluster: number;
  /** The place of its pair. */
  readonly pair: number;
  /** Whether the pair's first model was shown first. */
  readonly isFirst: boolean;
  readonly outcome: "a" | "b" | "tie";
  readonly count: number;
}

/** Compared pairs: the counts of each, and the cells that they are made of. */
export interface Compared {
  readonly cells: readonly ComparedCell[];
  /** The places of each pair's models. */
  readonly places: readonly { readonly a: number; readonly b: number }[];
  readonly pairs: readonly PairedCount[];
}

/** Columns by which intervals of preferences may be clustered. */
export const preferenceUnits = ["annotator", "prompt", "both"] as const;
export type PreferenceUnit = (typeof preferenceUnits)[number];

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
  rows: readonly PreferenceRow[],
  wanted?: PreferenceUnit,
): PreferenceClusters {
  const hasPeople = new Set(rows.flatMap(({ annotator }) => annotator ?? [])).size > 1;
  const hasPrompts = rows.some(({ prompt }) => prompt !== undefined);
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
  const by = (name: (row: PreferenceRow) => string | undefined): Clustering => {
    const named = rows.map((row, at) => ({ id: String(at), prompt: name(row) }));
    const { cluster, count: clusters } = promptClusters(named);
    return { cluster, clusters };
  };
  const byAnnotator = () => by((row) => row.annotator);
  const byPrompt = () => by((row) => row.prompt);
  if (wanted === "both") {
    const both = by((row) =>
      row.annotator === undefined || row.prompt === undefined
        ? undefined
        : JSON.stringify([row.annotator, row.prompt]),
    );
    return {
      ...both,
      clusteredBy: "annotator",
      ways: { annotator: byAnnotator(), prompt: byPrompt() },
    };
  }
  return (wanted ?? (hasPeople ? "annotator" : "prompt")) === "annotator"
    ? { ...byAnnotator(), clusteredBy: "annotator" }
    : { ...byPrompt(), clusteredBy: hasPrompts ? "prompt" : "row" };
}

const outcomes = ["a", "b", "tie"] as const;

/** Counts answered rows; a pair's first model is the one that stands first in `names`. */
export function comparedCells(
  rows: readonly PreferenceRow[],
  { names, cluster }: { readonly names: readonly string[]; readonly cluster: Int32Array },
): Compared {
  const placeOf = new Map(names.map((name, at) => [name, at]));
  const count = names.length;
  const turned = rows.map(({ a, b, preferred }) => {
    const [one, other] = [placeOf.get(a) ?? 0, placeOf.get(b) ?? 0];
    const isFirst = one < other;
    const isTie = preferred === "tie" || preferred === null;
    const outcome = isTie ? 2 : (preferred === "a") === isFirst ? 0 : 1;
    return { pair: isFirst ? one * count + other : other * count + one, isFirst, outcome };
  });
  const met = [...new Set(turned.map(({ pair }) => pair))].sort((one, other) => one - other);
  const pairOf = new Map(met.map((pair, at) => [pair, at]));
  const counts = new Map<number, number>();
  for (const [row, { pair, isFirst, outcome }] of turned.entries()) {
    const place = (cluster[row] ?? 0) * met.length + (pairOf.get(pair) ?? 0);
    const cell = (place * outcomes.length + outcome) * 2 + Number(isFirst);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const cells = [...counts].map(([cell, count]): ComparedCell => {
    const rest = Math.floor(cell / 2);
    const place = Math.floor(rest / outcomes.length);
    return {
      cluster: Math.floor(place / met.length),
      pair: place % met.length,
      isFirst: cell % 2 === 1,
      outcome: outcomes[rest % outcomes.length] ?? "tie",
      count,
    };
  });
  const places = met.map((pair) => ({ a: Math.floor(pair / count), b: pair % count }));
  const { wins, losses, ties } = weightedCounts({ cells, places })().counts;
  const pairs = places.map(({ a, b }, pair): PairedCount => {
    return { a, b, wins: wins[pair] ?? 0, losses: losses[pair] ?? 0, ties: ties[pair] ?? 0 };
  });
  return { cells, places, pairs };
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
  const slot = Int32Array.from(cells, ({ pair, outcome, isFirst }) => {
    return (isFirst ? 0 : half) + outcomes.indexOf(outcome) * pairs + pair;
  });
  const size = Float64Array.from(cells, ({ count }) => count);
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
      const share = shares[outcomes[Math.floor(at / pairs)] ?? "tie"];
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

/** Share of a win that an outcome is for the first of a pair. */
export const shares = { a: 1, b: 0, tie: 0.5 } as const;

/** Share of a win that a comparison is for the one that was shown first. */
export const firstShare = ({ isFirst, outcome }: ComparedCell) =>
  isFirst ? shares[outcome] : 1 - shares[outcome];
