import type { ContrastiveConclusion, ContrastiveSummary } from "../analysis/contrastive.js";
import { fewestToTell } from "../analysis/fewest-to-tell.js";
import type { Estimate } from "../stats/estimate.js";
import { pluralText, spokenPercent, spokenShare } from "./number-text.js";

interface Named {
  readonly name: string;
  readonly overall: ContrastiveSummary;
  readonly rate: number;
}

/**
 * Which metric fails most and which least, in a sentence or two. `differenceOf` gives the failure
 * rate of one metric minus that of another on the rows that both scored; where its interval holds
 * zero, or few prompts are behind it, the two are not called different.
 */
export function contrastiveVerdict(
  { metrics, intervals }: ContrastiveConclusion,
  differenceOf: (metric: string, than: string) => Estimate,
): string {
  const ranked = Object.entries(metrics)
    .flatMap(([name, { overall }]): Named[] => {
      const rate = overall.failureRate.value;
      return rate === null ? [] : [{ name, overall, rate }];
    })
    .sort((a, b) => b.rate - a.rate);
  const worst = ranked[0];
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) {
    return "Nothing can be concluded: no row has both scores.";
  }
  const opening = `${worst.name} prefers the wrong image${tiesOf(worst)} in ${rateOf(worst)}`;
  const isEnough = intervals.clusters >= fewestToTell;
  if (worst === best) return `${opening}: ${besideCoin(worst, isEnough)}.`;

  const isApart = (one: Named, other: Named) =>
    isEnough && (differenceOf(one.name, other.name).low ?? 0) > 0;
  const leastOften = ranked.length > 2 ? "least often, " : "";
  if (!isApart(worst, best)) {
    return (
      `${opening}; these rows can't tell it apart from ${best.name}, which does so ` +
      `${leastOften}in ${spokenPercent(best.overall.failureRate)}.`
    );
  }
  const second = ranked.at(-2);
  const doubt =
    second === undefined || second === worst || isApart(second, best)
      ? ""
      : ` These rows can't tell ${second.name} and ${best.name} apart.`;
  return (
    `${opening}; ${best.name} does so ${leastOften || "less often, "}in ${spokenPercent(best.overall.failureRate)}.` +
    doubt
  );
}

const tiesOf = ({ overall: { ties } }: Named) => (ties === 0 ? "" : ", or scores both the same,");

const rateOf = ({ overall: { failureRate, n } }: Named) =>
  spokenShare(failureRate, pluralText(n, "row"));

function besideCoin({ overall: { failureRate } }: Named, isEnough: boolean): string {
  const { low, high } = failureRate.oneSided ?? {
    low: isEnough ? failureRate.low : null,
    high: isEnough ? failureRate.high : null,
  };
  if (low !== null && low > 0.5) return "more often than a coin would";
  if (high !== null && high < 0.5) return "less often than a coin would";
  return "these rows can't tell it from tossing a coin";
}
