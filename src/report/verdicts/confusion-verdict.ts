import { spokenName } from "../../analysis/inference/metric-name.js";
import type { SwapSummary } from "../../analysis/pairs/swap.js";
import type { ConfusionReport } from "../../benchmarks/attribute-confusion/conclusion.js";
import { type Follower, followers } from "../../benchmarks/attribute-confusion/followers.js";
import { countText, estimateText, spokenPercent } from "../text/number-text.js";

interface Scored {
  readonly id: string;
  readonly overall: SwapSummary;
  /** Share of failures plus half of that of ties. */
  readonly rate: number;
}

type Concluded = Pick<
  ConfusionReport,
  "selections" | "standing" | "correlations" | "differences" | "closest"
>;

/**
 * What an attribute confusion run comes to, in sentences, the most important first: who prefers the
 * swapped description, who can't tell, and who follows the reference. Metrics are ranked by failures
 * plus half of the ties, so that saying nothing is no better than tossing a coin; none is called
 * better than another that the data can't tell from it.
 */
export function confusionVerdict(report: Concluded): string[] {
  const { selections, standing } = report;
  const [{ swap, description, images }] = selections;
  const ranked = standing
    .flatMap(({ id }): Scored[] => {
      const overall = swap.metrics[id]?.overall;
      if (overall === undefined || overall.n === 0) return [];
      return [{ id, overall, rate: (overall.failures + overall.ties / 2) / overall.n }];
    })
    .sort((a, b) => b.rate - a.rate);
  const [worst] = ranked;
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) {
    return ["No metric scored an image against both of its descriptions."];
  }
  const name = (id: string) => spokenName({ metrics: standing }, id);
  // Of the images, or of those that it gave an answer about.
  const rateOf = ({ overall }: Scored) =>
    `${spokenPercent(overall.failureRate)}${overall.n < images ? ` of the ${countText(overall.n)} that it scored` : ""}`;
  const tiesOf = ({ overall }: Scored) =>
    overall.ties === 0
      ? ""
      : `, and scores both descriptions the same for ${spokenPercent(overall.tieRate)}`;
  const which = `of the ${countText(images)} images ${description}`;
  const opening = `${name(worst.id)} prefers the swapped description for ${rateOf(worst)} ${which}${tiesOf(worst)}`;
  const isTold = (one: Scored, other: Scored) => isApart(report, one.id, other.id);
  const second = ranked.at(-2);
  const others = ranked.slice(1, -1);
  const said: string[] = [];
  if (worst === best) said.push(`${opening}.`);
  else if (isTold(worst, best)) {
    said.push(`${opening}; ${name(best.id)} does so for ${rateOf(best)}${tiesOf(best)}.`);
    if (second !== undefined && second !== worst && !isTold(second, best)) {
      said.push(`These data can't tell ${name(second.id)} and ${name(best.id)} apart.`);
    }
  } else {
    said.push(
      `${opening}; these data can't tell it apart from ${name(best.id)}, which does so for ${rateOf(best)}${tiesOf(best)}.`,
    );
  }
  if (ranked.length > 1) {
    said.push(
      "Metrics are ranked by failures plus half of the ties: who says the same of everything does as well as a coin.",
    );
  }
  return [
    ...said,
    ...others
      .filter(({ overall }) => (overall.tieRate.value ?? 0) > 0.05)
      .map(
        ({ id, overall }) =>
          `${name(id)} scores both descriptions the same for ${spokenPercent(overall.tieRate)}: a tie is no failure, and no success.`,
      ),
    ...follows(report, name),
  ];
}

const isApart = ({ differences }: Concluded, one: string, other: string) =>
  differences.some(
    ({ metric, than, isTold }) =>
      isTold && ((metric === one && than === other) || (metric === other && than === one)),
  );

function follows(report: Concluded, name: (id: string) => string): string[] {
  const [closest, second] = followers({ ...report, f1: report.correlations?.f1 });
  if (closest === undefined) return [];
  const rho = ({ spearman }: Follower) => `Spearman's ρ ${estimateText(spearman)}`;
  const { isTold = false, follows: isFollowing = false } = report.closest ?? {};
  if (!isFollowing) {
    return [
      `No metric surely follows the reference's F1; ${name(closest.id)} comes nearest: ${rho(closest)} over groups.`,
    ];
  }
  if (second === undefined) {
    return [`${name(closest.id)} follows the reference's F1: ${rho(closest)} over groups.`];
  }
  return [
    isTold
      ? `${name(closest.id)} follows the reference's F1 most closely: ${rho(closest)} over groups.`
      : `${name(closest.id)} comes nearest to the reference's F1, ${rho(closest)} over groups; these data can't tell it apart from ${name(second.id)}, ${rho(second)}.`,
  ];
}
