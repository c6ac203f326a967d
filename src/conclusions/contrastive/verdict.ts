import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import type {
  ContrastiveConclusion,
  ContrastiveSummary,
} from "../../analysis/pairs/contrastive.js";
import { listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import { besideCoin, type CoinStanding, coinStanding } from "../../views/beside-coin.js";
import { equalWeightsText, pooledText } from "../../views/domain-weights.js";
import {
  countText,
  fixedText,
  pluralText,
  spokenShare,
  tooFewText,
} from "../../views/number-text.js";

interface Named {
  readonly name: string;
  readonly overall: ContrastiveSummary;
  readonly macro: ContrastiveSummary;
  readonly rate: number;
}

/** Verdict on a contrastive conclusion. */
export interface ContrastiveVerdict {
  /** Which metric fails most and which least, in one sentence with one interval. */
  readonly verdict: string;
  /** Below it, a sentence each: every metric beside a coin with its ties, and who does not differ significantly. */
  readonly findings: readonly string[];
}

/**
 * Which metric fails most and which least, and how each stands beside a coin. `differenceOf` gives the
 * failure rate of one metric minus that of another on the rows that both scored; where its interval
 * holds zero, or few prompts are behind it, the two are not called different.
 */
export function contrastiveVerdict(
  { metrics, intervals }: ContrastiveConclusion,
  differenceOf: (metric: string, than: string) => Estimate,
): ContrastiveVerdict {
  const ranked = Object.entries(metrics)
    .flatMap(([name, { overall, macro }]): Named[] => {
      const rate = overall.failureRate.value;
      return rate === null ? [] : [{ name, overall, macro, rate }];
    })
    .sort((a, b) => b.rate - a.rate);
  const worst = ranked[0];
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) {
    return { verdict: "Nothing can be concluded: no row has both scores.", findings: [] };
  }
  const domains = [...new Set(Object.values(metrics).flatMap((each) => Object.keys(each.domains)))];
  const weights = equalWeightsText(
    domains,
    ranked.map(({ name, macro }) => ({ name, mean: macro.failureRate })),
    "rows",
  );
  const { clusters, clusteredBy } = intervals;
  const isEnough = clusters >= fewestToTell;
  const isApart = (one: Named, other: Named) =>
    isEnough && whichSide(differenceOf(one.name, other.name)) === "above";
  const unscored = Object.keys(metrics).filter((name) => !ranked.some((one) => one.name === name));
  const alike = ranked.slice(1, -1).filter((one) => !isApart(one, best));
  return {
    verdict: `${worst.name} ${failing(worst)} in ${rateOf(worst)}${pooledText(domains)}${besides(ranked, isApart, isEnough)}.`,
    findings: [
      ...(weights === undefined ? [] : [weights]),
      ...besideCoin(
        ranked.map((one) => ({ share: one.overall.failureRate, said: countedFailures(one) })),
        isEnough,
      ),
      ...(alike.length === 0
        ? []
        : [
            `Not significantly different from ${best.name}: ${listText(alike.map(({ name }) => name))}.`,
          ]),
      ...(unscored.length === 0
        ? []
        : [`Without a row that has both scores: ${listText(unscored)}.`]),
      ...(isEnough
        ? []
        : [`${tooFewText(clusters, clusteredBy)} to tell metrics from a coin or apart.`]),
    ],
  };
}

/** How a metric fails: one that scores both images the same prefers neither. */
function failing(one: Named): string {
  // The table of a study's answers calls its raters so.
  const s = one.name === "people" ? "" : "s";
  if (one.overall.ties === 0) return `prefer${s} the wrong image`;
  return isAllTies(one)
    ? `score${s} both images the same, a failure,`
    : `prefer${s} the wrong image or tie${s}`;
}

const isAllTies = ({ overall: { ties, strictFailureRate } }: Named) =>
  ties > 0 && strictFailureRate.value === 0;

/** The rest of the verdict beside the worst metric's rate. */
function besides(
  ranked: readonly Named[],
  isApart: (one: Named, other: Named) => boolean,
  isEnough: boolean,
): string {
  const [worst] = ranked;
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) return "";
  if (worst === best) return `: ${coinWords[coinStanding(worst.overall.failureRate, isEnough)]}`;
  const rate = shortRate(best);
  if (!isApart(worst, best)) return `; indistinguishable from ${best.name} (${rate})`;
  const fails = isAllTies(worst) ? "fails" : "does so";
  return `; ${best.name} ${fails} ${ranked.length > 2 ? "least" : "less"} often (${rate})`;
}

const rateOf = ({ overall: { failureRate, n } }: Named) =>
  spokenShare(failureRate, pluralText(n, "row"));

const shortRate = ({ rate }: Named) => `${fixedText(100 * rate, 1)} %`;

const coinWords: Readonly<Record<CoinStanding, string>> = {
  more: "more often than a coin would",
  less: "less often than a coin would",
  untold: "indistinguishable from a coin",
};

/** @example "clip-score (41 of 59 rows fail, 6 of them ties)" */
function countedFailures({ name, rate, overall: { n, ties } }: Named): string {
  const failures = Math.round(rate * n);
  const tied =
    ties === 0 ? "no ties" : `${countText(ties)} of them ${ties === 1 ? "a tie" : "ties"}`;
  return failures === 0
    ? `${name} (none of ${pluralText(n, "row")} ${n === 1 ? "fails" : "fail"})`
    : `${name} (${countText(failures)} of ${pluralText(n, "row")} ${failures === 1 ? "fails" : "fail"}, ${tied})`;
}
