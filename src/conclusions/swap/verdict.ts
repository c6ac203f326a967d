import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { unitsText } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import type { SwapSummary } from "../../analysis/pairs/swap.js";
import type { SwapTestConclusion } from "../../analysis/pairs/swap-test.js";
import type { Estimate } from "../../stats/estimate.js";
import { besideCoin } from "../../views/beside-coin.js";
import { countText, fixedText, pluralText, spokenShare } from "../../views/number-text.js";

interface Named {
  readonly name: string;
  readonly summary: SwapSummary;
  /** Failures, and ties as half of one. */
  readonly rate: number;
}

export interface SwapVerdict {
  /** Which metric fails most and which least. */
  readonly verdict: string;
  /** Each metric beside a coin, a tie as half a failure, a sentence for each standing. */
  readonly findings: readonly string[];
}

/**
 * Which metric most often prefers the swapped description, and how each stands beside a coin.
 * `differenceOf` gives failures and half the ties of one metric minus those of another on the images
 * that both scored.
 */
export function swapVerdict(
  { metrics, intervals: { clusters, clusteredBy } }: SwapTestConclusion,
  differenceOf: (metric: string, than: string) => Estimate,
): SwapVerdict {
  const ranked = Object.entries(metrics)
    .flatMap(([name, summary]): Named[] => {
      const rate = summary.failuresAndHalfTies.value;
      return rate === null ? [] : [{ name, summary, rate }];
    })
    .sort((a, b) => b.rate - a.rate);
  const worst = ranked[0];
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) {
    const verdict =
      "Nothing can be concluded: no row of an image that is as described has both scores.";
    return { verdict, findings: [] };
  }
  const isEnough = clusters >= fewestToTell;
  const { failureRate, n } = worst.summary;
  const opening = `${worst.name} prefers the swapped description in ${spokenShare(failureRate, pluralText(n, "row"))}`;
  const few = `${unitsText(clusters, clusteredBy)} ${clusters === 1 ? "is" : "are"} too few: it takes ${fewestToTell}`;
  const findings = [
    ...besideCoin(
      ranked.map((one) => ({ share: one.summary.failuresAndHalfTies, said: counted(one) })),
      isEnough,
    ),
    ...(isEnough ? [] : [`${few} to tell metrics from a coin or apart.`]),
  ];
  if (worst === best) return { verdict: `${opening}.`, findings };
  const isApart = isEnough && whichSide(differenceOf(worst.name, best.name)) === "above";
  const rate = `${best.name} (${percent(best.summary.failureRate.value)})`;
  const rest = isApart
    ? `; ${rate} does so ${ranked.length > 2 ? "least" : "less"} often`
    : `; whether ${rate} does so less often is inconclusive`;
  return { verdict: `${opening}${rest}.`, findings };
}

/** How often each metric prefers the swapped description, where nobody said what the images show. */
export function unreferencedVerdict({ metrics }: SwapTestConclusion): SwapVerdict {
  return {
    verdict:
      "No verdict on metrics: nobody said what the images show (column asDescribed), and where " +
      "attributes are mixed up the swapped description is right.",
    findings: Object.entries(metrics).map(
      ([name, { failureRate, n }]) =>
        `${name} prefers the swapped description in ${spokenShare(failureRate, pluralText(n, "row"))}: the image or the metric is wrong.`,
    ),
  };
}

/** Says how many rows a reference leaves out; nothing where it leaves out none. */
export const excludedWarnings = (excluded: number, all: number): readonly string[] =>
  excluded === 0
    ? []
    : [
        `${countText(excluded)} of ${pluralText(all, "row")} ${excluded === 1 ? "is" : "are"} left out: asDescribed is not 1 there`,
      ];

const percent = (share: number | null) => `${fixedText(100 * (share ?? 0), 1)} %`;

/** @example "clip-score (4 of 12 rows fail, 2 tie)" */
const counted = ({ name, summary: { n, failures, ties } }: Named) =>
  `${name} (${countText(failures)} of ${pluralText(n, "row")} ${failures === 1 ? "fails" : "fail"}, ` +
  `${ties === 0 ? "none ties" : `${countText(ties)} ${ties === 1 ? "ties" : "tie"}`})`;
