import { type IntervalMethod, unitsText } from "./intervals.js";

/**
 * From as many clusters on, intervals of shares that are not rare hold the truth 93 to 95 % of the
 * time where clusters are about equally large; of 10 it is 88 to 92 %, of 5 as little as 75. Measured
 * by bench/coverage.mjs; docs/intervals.md has all of it.
 */
export const fewestClusters = 30;

/** The fewest clusters with an outcome for which a percentile or delta interval of its share is valid. */
const fewestWithRare = 10;

/**
 * Warns of intervals from few clusters: a sentence, or none. How few: docs/intervals.md.
 *
 * @example fewClusters({ clusters: 2, clusteredBy: "row" })
 *   // ["intervals from 2 rows are narrower than they ought to be"]
 */
export function fewClusters({
  clusters,
  clusteredBy,
}: Pick<IntervalMethod, "clusters" | "clusteredBy">): string[] {
  return clusters === 0 || clusters >= fewestClusters
    ? []
    : [`intervals from ${unitsText(clusters, clusteredBy)} are narrower than they ought to be`];
}

/**
 * Warns of the share of something rare: many clusters do not help if few show it, but
 * a BCa interval does. Nothing is said where none shows it, and where `fewClusters` says enough.
 *
 * @param options.showing clusters with a row that shows it.
 * @param options.what a row does then: "fails".
 * @example rareOutcome({ showing: 3, what: "fails", method }) // ["only 3 of 100 prompts have a row …"]
 */
export function rareOutcome({
  showing,
  what,
  method: { method, clusters, clusteredBy },
}: {
  readonly showing: number;
  readonly what: string;
  readonly method: Pick<IntervalMethod, "method" | "clusters" | "clusteredBy">;
}): string[] {
  const isRare = showing > 0 && showing < fewestWithRare && clusters >= fewestClusters;
  return !isRare || method === "bca"
    ? []
    : [
        `only ${showing} of ${unitsText(clusters, clusteredBy)} ${showing === 1 ? "has" : "have"} a row ` +
          `that ${what}: the interval of the failure rate is narrower than it ought to be, a BCa ` +
          "interval less so",
      ];
}
