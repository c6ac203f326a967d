import type { GroupedConclusion } from "../../analysis/correlation/grouped-correlation.js";
import { spokenName } from "../../analysis/inference/metric-name.js";
import { largestOf } from "../../core/arrays.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  estimateText,
  fixedText,
  pluralText,
  spokenPercent,
  spokenShare,
} from "../../views/number-text.js";
import type { ConfusionReport } from "./conclusion.js";
import { rankedBySwap, type SwapRank } from "./swap-selections.js";

type Concluded = Pick<
  ConfusionReport,
  | "selections"
  | "standing"
  | "correlations"
  | "differences"
  | "closest"
  | "unseenLooks"
  | "isUnreferenced"
  | "circular"
>;

/**
 * Verdict on an attribute confusion run, in sentences, the most important first (at
 * most 25 words and one interval): who prefers the swapped description, who can't tell, and who follows
 * the reference. Metrics are ranked by failures plus half of the ties, so that saying nothing is no
 * better than tossing a coin; none is called better than another that the data can't tell from it. Of
 * images that nobody described there is none on the metrics.
 */
export function confusionVerdict(report: Concluded): string[] {
  const { selections, standing } = report;
  const [{ description, images }] = selections;
  const ranked = rankedBySwap(report);
  if (report.isUnreferenced && ranked.length > 0) return unreferencedVerdict(report, ranked);
  const [worst] = ranked;
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) {
    const other = report.circular.length === 0 ? "" : " other";
    return [
      ...report.circular.map(circularSentence),
      `No${other} metric scored an image against both of its descriptions.`,
    ];
  }
  const name = (id: string) => spokenName({ metrics: standing }, id);
  const rateOf = ({ overall }: SwapRank) =>
    `${spokenShare(overall.failureRate, pluralText(overall.n, "image"))}`;
  const isTold = (one: SwapRank, other: SwapRank) => isApart(report, one.id, other.id);
  const second = ranked.at(-2);
  const others = ranked.slice(1);
  const which = `Counted are the ${pluralText(images, "image")} ${description}.`;
  const opening = `${name(worst.id)} prefers the swapped description for ${rateOf(worst)}${
    worst.overall.ties === 0 ? "" : `, and ties for ${percentOf(worst.overall.tieRate)}`
  }`;
  const said: string[] = [];
  if (worst === best) said.push(`${opening}.`, which);
  else {
    said.push(
      isTold(worst, best)
        ? `${opening}; ${name(best.id)} does better.`
        : `${opening}; indistinguishable from ${name(best.id)}.`,
      which,
      `${name(best.id)} prefers the swapped description for ${rateOf(best)}.`,
    );
    if (second !== undefined && second !== worst && isTold(worst, best) && !isTold(second, best)) {
      said.push(`These data can't tell ${name(second.id)} and ${name(best.id)} apart.`);
    }
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
    ...report.circular.map(circularSentence),
    ...report.unseenLooks,
  ];
}

/** Verdict where nobody described the images: how often each metric prefers the swapped description. */
function unreferencedVerdict({ selections, standing }: Concluded, ranked: readonly SwapRank[]) {
  const [{ images }] = selections;
  return [
    `No verdict on metrics: nobody said what the ${pluralText(images, "image")} show, and where attributes are mixed up the swapped description is right.`,
    ...ranked.map(
      ({ id, overall }) =>
        `${spokenName({ metrics: standing }, id)} prefers the swapped description for ${spokenShare(overall.failureRate, pluralText(overall.n, "image"))}: the image or the metric is wrong.`,
    ),
    "Answers of people to the images' questions are a reference: touchstone study create, then touchstone score RUN --answers STUDY.",
  ];
}

const circularSentence = ({ metric, localizer }: ConfusionReport["circular"][number]) =>
  `No verdict on ${metric}: people were shown what its own localiser (${localizer}) found, so their answers are no reference for it.`;

const percentOf = ({ value }: Estimate) =>
  value === null ? "–" : `${fixedText(value * 100, 1)} %`;

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
      `No metric significantly follows the reference's F1; ${name(closest.id)} comes nearest: ${rho(closest)} over groups.`,
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

interface Follower {
  readonly id: string;
  readonly spearman: Estimate;
  readonly rho: number;
}

/**
 * The metrics that stand for their name by how closely they follow the reference's F1, the closest
 * first. One that scored fewer images followed it on other groups, and is left out.
 */
export function followers({
  standing,
  f1,
}: Pick<ConfusionReport, "standing"> & { readonly f1: GroupedConclusion | undefined }): Follower[] {
  const found = standing.flatMap(({ id }) => {
    const metric = f1?.metrics[id];
    const rho = metric?.spearman.value ?? null;
    return metric === undefined || rho === null ? [] : [{ id, ...metric, rho }];
  });
  const most = largestOf(found.map(({ n }) => n));
  return found.filter(({ n }) => n === most).sort((a, b) => b.rho - a.rho);
}
