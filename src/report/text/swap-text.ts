import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { unitsText } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/which-side.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import type { SwapSummary } from "../../analysis/pairs/swap.js";
import type { SwapTestConclusion } from "../../analysis/pairs/swap-test.js";
import { listText } from "../../core/list-text.js";
import type { Estimate } from "../../stats/estimate.js";
import { numberColumns } from "../../views/number-columns.js";
import {
  boundNote,
  countText,
  fixedText,
  percentText,
  pluralText,
  spokenShare,
} from "../../views/number-text.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";

interface Named {
  readonly name: string;
  readonly summary: SwapSummary;
  /** Failures, and ties as half of one. */
  readonly rate: number;
}

/** A swap test as people read it. */
export function readableSwap(
  conclusion: SwapTestConclusion,
  verdict: SwapVerdict,
): ReadableConclusion {
  return {
    ...verdict,
    tables: [swapTable(conclusion)],
    warnings: conclusion.warnings,
    method: `Brackets hold intervals: ${conclusion.intervals.text}.`,
  };
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
    return { verdict: "Nothing can be concluded: no row has both scores.", findings: [] };
  }
  const isEnough = clusters >= fewestToTell;
  const { failureRate, n } = worst.summary;
  const opening = `${worst.name} prefers the swapped description in ${spokenShare(failureRate, pluralText(n, "row"))}`;
  const few = `${unitsText(clusters, clusteredBy)} ${clusters === 1 ? "is" : "are"} too few: it takes ${fewestToTell}`;
  const findings = [
    ...besideCoin(ranked, isEnough),
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

const percent = (share: number | null) => `${fixedText(100 * (share ?? 0), 1)} %`;

const standings = [
  { title: "More often wrong than a coin", is: (low: number) => low > 0.5 },
  { title: "Less often wrong than a coin", is: (_: number, high: number) => high < 0.5 },
  {
    title: "Not significantly different from chance",
    is: (low: number, high: number) => low <= 0.5 && high >= 0.5,
  },
] as const;

function besideCoin(ranked: readonly Named[], isEnough: boolean): string[] {
  const spanOf = ({ summary: { failuresAndHalfTies: share } }: Named) => {
    const { low, high } = share.oneSided ?? (isEnough ? share : { low: 0, high: 1 });
    return [low ?? 0, high ?? 1] as const;
  };
  return standings.flatMap(({ title, is }) => {
    const its = ranked.filter((one) => is(...spanOf(one)));
    return its.length === 0 ? [] : [`${title}: ${listText(its.map(counted))}.`];
  });
}

/** @example "clip-score (4 of 12 rows fail, 2 tie)" */
const counted = ({ name, summary: { n, failures, ties } }: Named) =>
  `${name} (${countText(failures)} of ${pluralText(n, "row")} ${failures === 1 ? "fails" : "fail"}, ` +
  `${ties === 0 ? "none ties" : `${countText(ties)} ${ties === 1 ? "ties" : "tie"}`})`;

function swapTable({ metrics, tieTolerance }: SwapTestConclusion): TextTable {
  const titles = ["n", "unscored", "fails, %", "ties, %", "fails + ½ ties, %", "bounds, %"];
  return {
    title: "How often the swapped description is preferred",
    columns: [{ title: "rows" }, { title: "metric" }, ...numberColumns(...titles)],
    rows: Object.entries(metrics).map(([name, summary], at) => [
      at === 0 ? "each scored against its description and the swapped one" : "",
      name,
      countText(summary.n),
      countText(summary.unscored),
      percentText(summary.failureRate),
      shareText(summary.tieRate),
      shareText(summary.failuresAndHalfTies),
      boundsText(summary),
    ]),
    note:
      `A failure is a swapped description that scores better; ties stand apart (${tieText(tieTolerance)}). ` +
      "A metric that tells nothing ties everywhere: 50 % with half the ties. Bounds: the failure rate " +
      `had no unscored row failed, and had all. ${boundNote}`,
  };
}

const shareText = ({ value }: Estimate) => percentText({ value, low: null, high: null });

const boundsText = ({ unscored, bounds: { low, high } }: SwapSummary) =>
  unscored === 0 || low === null || high === null
    ? "–"
    : `${fixedText(low * 100, 1)} to ${fixedText(high * 100, 1)}`;
