import { InputError } from "../../core/errors.js";
import { textAt } from "../../core/text-column.js";
import {
  type BradleyTerry,
  bradleyTerryOf,
  type PairedCounts,
  type TieModel,
} from "../../stats/bradley-terry.js";
import { exp } from "../../stats/elementary/exponential.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { type IntervalOptions, isByInfluence } from "../inference/intervals.js";
import {
  type Compared,
  type PreferenceClusters,
  type PreferenceTable,
  shares,
} from "./preference-cells.js";

/** Strengths of models, and how often each annotator says what the strengths would have them say. */
export interface CrowdBradleyTerry {
  readonly fitted: BradleyTerry;
  /** Of each annotator, in [0, 1]: 1 follows the strengths, 1/2 is a coin, 0 says the opposite. */
  readonly reliability: Float64Array;
}

const mostIterations = 500;
const closeEnough = 1e-6;
/** Resamples need not be more exact. */
const nearEnough = 1e-3;
/** Answers that are added to each annotator's, one each way: nobody is taken for perfect. */
const smoothing = 1;
const z = 1.959963984540054;

/**
 * Bradley and Terry's strengths where annotators differ in reliability: P(a) of annotator k is
 * r_k e^a / (e^a + e^b) + (1 - r_k) e^b / (e^a + e^b) (Chen, Bennett, Collins-Thompson and Horvitz, "Pairwise Ranking
 * Aggregation in a Crowdsourced Setting", 2013), by expectation-maximisation from reliable annotators. A tie is half a
 * win for each. Reversed reliabilities with reversed strengths are as likely; the start takes most annotators for right.
 *
 * @param compared cells whose clusters are the annotators.
 * @param options.withPrior adds what is added to the counts of pairs.
 */
export function crowdBradleyTerry(
  { cells, places }: Compared,
  {
    models,
    annotators,
    withPrior,
  }: {
    readonly models: number;
    readonly annotators: number;
    readonly withPrior: (counts: PairedCounts) => PairedCounts;
  },
): (weights?: Float64Array, start?: CrowdBradleyTerry) => CrowdBradleyTerry | undefined {
  const { cluster, pair, outcome, count } = cells;
  const a = Int32Array.from(places, (place) => place.a);
  const b = Int32Array.from(places, (place) => place.b);
  return (weights, start) => {
    const reliability = start?.reliability.slice() ?? new Float64Array(annotators).fill(0.9);
    let fitted = start?.fitted;
    for (let iteration = 0; iteration < mostIterations; iteration++) {
      const counts = {
        a,
        b,
        wins: new Float64Array(places.length),
        losses: new Float64Array(places.length),
        ties: new Float64Array(places.length),
      };
      const follows = new Float64Array(annotators).fill(smoothing);
      const all = new Float64Array(annotators).fill(2 * smoothing);
      for (let cell = 0; cell < count.length; cell++) {
        const who = cluster[cell] ?? 0;
        const at = pair[cell] ?? 0;
        const n = (count[cell] ?? 0) * (weights?.[cell] ?? 1);
        const won = shares[outcome[cell] ?? 2] ?? 0;
        const p = preference(fitted, a[at] ?? 0, b[at] ?? 0);
        const r = reliability[who] ?? 0;
        // P(the annotator followed the strengths), of a win and of a loss.
        const [ofWin, ofLoss] = [following(r, p), following(r, 1 - p)];
        const right = n * (won * ofWin + (1 - won) * ofLoss);
        counts.wins[at] = (counts.wins[at] ?? 0) + n * (won * ofWin + (1 - won) * (1 - ofLoss));
        counts.losses[at] = (counts.losses[at] ?? 0) + n * (won * (1 - ofWin) + (1 - won) * ofLoss);
        follows[who] = (follows[who] ?? 0) + right;
        all[who] = (all[who] ?? 0) + n;
      }
      const next = bradleyTerryOf(withPrior(counts), { models, start: fitted });
      if (next === undefined) return undefined;
      let change = 0;
      for (const [model, strength] of next.strengths.entries()) {
        change = Math.max(change, Math.abs(strength - (fitted?.strengths[model] ?? 0)));
      }
      for (let who = 0; who < annotators; who++) {
        const found = (follows[who] ?? 0) / (all[who] ?? 1);
        change = Math.max(change, Math.abs(found - (reliability[who] ?? 0)));
        reliability[who] = found;
      }
      fitted = next;
      if (change < (start === undefined ? closeEnough : nearEnough)) break;
    }
    return fitted && { fitted, reliability };
  };
}

/** P(a is preferred to b); a half where nothing is known. */
function preference(fitted: BradleyTerry | undefined, a: number, b: number): number {
  if (fitted === undefined) return 0.5;
  return 1 / (1 + exp((fitted.strengths[b] ?? 0) - (fitted.strengths[a] ?? 0)));
}

const following = (r: number, p: number) => (r * p) / (r * p + (1 - r) * (1 - p));

/**
 * How many comparisons each annotator made, and their reliability with its interval: Wald's, by the information of
 * their own answers beside these strengths.
 */
function annotatorReliabilities(
  { cells, places }: Compared,
  { fitted, reliability }: CrowdBradleyTerry,
): { readonly n: number; readonly reliability: Estimate }[] {
  const n = new Float64Array(reliability.length);
  const information = new Float64Array(reliability.length);
  for (let cell = 0; cell < cells.count.length; cell++) {
    const who = cells.cluster[cell] ?? 0;
    const { a = 0, b = 0 } = places[cells.pair[cell] ?? 0] ?? {};
    const p = preference(fitted, a, b);
    const r = reliability[who] ?? 0;
    const says = r * p + (1 - r) * (1 - p);
    n[who] = (n[who] ?? 0) + (cells.count[cell] ?? 0);
    information[who] =
      (information[who] ?? 0) +
      ((cells.count[cell] ?? 0) * square(2 * p - 1)) / (says * (1 - says));
  }
  return Array.from(reliability, (value, who) => {
    const margin = z / Math.sqrt(information[who] ?? 0);
    return {
      n: n[who] ?? 0,
      reliability: { value, low: Math.max(0, value - margin), high: Math.min(1, value + margin) },
    };
  });
}

/** Fewer by default: each resample fits reliabilities as well. */
export const crowdIntervals = (options: IntervalOptions): IntervalOptions => ({
  interval: "percentile",
  ...options,
  resamples: options.resamples ?? 500,
});

/** @throws InputError where reliabilities can't be found, or not with what else was wanted. */
export function checkCrowd(
  { annotator }: PreferenceTable,
  {
    clusters: { clusteredBy, ways },
    tieModel,
    interval,
  }: {
    readonly clusters: PreferenceClusters;
    readonly tieModel: TieModel;
    readonly interval: IntervalOptions["interval"];
  },
): void {
  if (
    clusteredBy !== "annotator" ||
    ways !== undefined ||
    annotator.codes.some((code) => code < 0)
  ) {
    throw new InputError(
      "Expected two annotators or more, named in every row and taken together for intervals, for --raters crowd-bt",
      { hint: "The column annotator names them; --map annotator=my_column renames one." },
    );
  }
  if (tieModel !== "half" || (interval !== undefined && isByInfluence(interval))) {
    throw new InputError("Expected ties as halves and resampled intervals for --raters crowd-bt", {
      hint: "Leave out --ties davidson, and --interval delta or t.",
    });
  }
}

/** Each annotator's comparisons and reliability, by name. */
export function reliabilityByName(
  { annotator }: PreferenceTable,
  {
    answered,
    clusters,
    compared,
    crowd,
  }: {
    readonly answered: Int32Array;
    readonly clusters: PreferenceClusters;
    readonly compared: Compared;
    readonly crowd: CrowdBradleyTerry;
  },
) {
  const found = annotatorReliabilities(compared, crowd);
  const names = new Map<number, string>();
  for (const [at, row] of answered.entries()) {
    names.set(clusters.cluster[at] ?? 0, textAt(annotator, row) ?? "");
  }
  return Object.fromEntries(
    [...names].flatMap(([cluster, name]) => {
      const one = found[cluster];
      return one === undefined ? [] : [[name, one] as const];
    }),
  );
}

/** From fewer comparisons an annotator's reliability is hardly known. */
const fewestCompared = 20;

/** Warns where annotators compared too little for their reliability to be known. */
export function hardlyKnown({ cells }: Compared, annotators: number): string[] {
  const n = new Float64Array(annotators);
  for (const [cell, who] of cells.cluster.entries()) {
    n[who] = (n[who] ?? 0) + (cells.count[cell] ?? 0);
  }
  const few = n.filter((count) => count < fewestCompared).length;
  return few === 0
    ? []
    : [
        `${few} of ${annotators} annotators made fewer than ${fewestCompared} comparisons: their reliability is hardly known`,
      ];
}
