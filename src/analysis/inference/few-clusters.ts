import { listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import { type IntervalMethod, unitsText } from "./intervals.js";
import { fewestClusters } from "./prompt-clusters.js";

/** The fewest clusters with an outcome for which a percentile or delta interval of its share is valid. */
const fewestWithRare = 10;

/**
 * Warns of intervals from few clusters: a sentence, or none. How few: docs/research/intervals.md.
 *
 * @example fewClusters({ clusters: 2, clusteredBy: "row" })
 *   // ["intervals from 2 rows are too narrow"]
 */
export function fewClusters({
  clusters,
  clusteredBy,
}: Pick<IntervalMethod, "clusters" | "clusteredBy">): string[] {
  return clusters === 0 || clusters >= fewestClusters
    ? []
    : [`intervals from ${unitsText(clusters, clusteredBy)} are too narrow`];
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
          `that ${what}: the interval of the failure rate is too narrow, ` +
          "a BCa interval less so",
      ];
}

const mostNamed = 3;
/** Below as many effective clusters Student's t is too narrow as well: docs/research/intervals.md. */
const fewestForT = 10;

/** Warns of estimates that a few of many clusters decide: a sentence, or none. */
export function decidedByFew(
  estimates: readonly { readonly name: string; readonly estimate: Estimate }[],
  { method, clusters, clusteredBy }: Pick<IntervalMethod, "method" | "clusters" | "clusteredBy">,
): string[] {
  const found = estimates.flatMap(({ name, estimate: { effectiveClusters: as, low } }) =>
    as === undefined || low === null ? [] : [{ name, as }],
  );
  const fewest = found.reduce((least, { as }) => Math.min(least, as), clusters);
  if (found.length === 0 || (method === "t" && fewest >= fewestForT)) return [];
  const named = found.slice(0, mostNamed).map(({ name }) => name);
  const others = found.length - named.length;
  const names = others === 0 ? named : [...named, `${others} more`];
  return [
    `intervals are too narrow: a few of ${unitsText(clusters, clusteredBy)} decide ${listText(names)} ` +
      `(effectively ${unitsText(fewest, clusteredBy)})${method === "t" ? "" : "; --interval t is wider"}`,
  ];
}

/**
 * Of fewer rows, items, prompts or queries a verdict claims nothing from an interval alone: where all
 * point one way so does every resample, however few they are, but five tossed coins fall on one side
 * in 1 of 16 cases; of six it is 1 in 32, the first below 0.05.
 */
export const fewestToTell = 6;
