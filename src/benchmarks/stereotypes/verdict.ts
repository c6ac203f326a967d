import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import type { ValueConclusion } from "../../analysis/stereotypes/audit-values.js";
import { stereotypesView } from "../../conclusions/stereotypes/view.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  tooFewText,
} from "../../views/number-text.js";
import type { AuditNumbers, AuditReport } from "./conclusion.js";

/** Facts of an audit beside its records: by pixels, and by who painted them. */
type Audited = Omit<AuditNumbers, "metrics"> &
  Partial<Pick<AuditReport, "diversity" | "experts" | "truth">>;

/** Verdict on an audit, a sentence each: the index, its price, what got worse, how far to trust it. */
export function auditVerdict(report: Audited): string[] {
  if (!report.isRefined) return initialVerdict(report);
  const { verdict, findings = [] } = stereotypesView(report.conclusion);
  return [
    verdict,
    ...findings,
    ...report.prices.flatMap(priceSentence),
    worseSentence(report),
    ...distanceSentence(report),
    ...expertsSentence(report),
    ...truthSentence(report),
  ];
}

function initialVerdict({ initial, refining, unscored }: Audited): string[] {
  const index = initial[0]?.index;
  if (index === undefined || index.mean.value === null) {
    return ["Nothing can be concluded: no set of images was answered."];
  }
  return [
    `The Social Stereotype Index is ${estimateText(index.mean)} in ${pluralText(index.n, "set")} of images; ${
      refining.kept + refining.clean > 0
        ? noRefinedImages(unscored)
        : "nothing was rewritten, so there is no after"
    }.`,
  ];
}

/** Says if refined images are still to come, or why the generator made none. */
function noRefinedImages(unscored: Audited["unscored"]): string {
  // What a folder lacks may still come.
  const first = unscored.find(
    ({ step, retryable }) => step.startsWith("paint-refined") && !retryable,
  );
  return first === undefined
    ? "refined prompts have no images yet"
    : `no image of a refined prompt was made (${first.reason}: ${first.detail})`;
}

function priceSentence({ metric, direction, change }: AuditReport["prices"][number]): string[] {
  const { initial, refined, difference } = change.overall;
  if (initial === null || refined === null) {
    return [
      `The price in fidelity is unknown by ${metric}: it scored no set both before and after.`,
    ];
  }
  const fromTo = `from ${fixedText(initial, 3)} to ${fixedText(refined, 3)}, initial minus refined ${estimateText(difference)}`;
  const side = change.intervals.clusters < fewestToTell ? undefined : whichSide(difference);
  const [lost, gained] = direction === "higher" ? ["above", "below"] : ["below", "above"];
  if (side === lost)
    return [
      `It costs fidelity: by ${metric} refined images show the original query less, ${fromTo}.`,
    ];
  if (side === gained)
    return [
      `It costs no fidelity by ${metric}, which finds the original query more in refined images: ${fromTo}.`,
    ];
  return [
    `Whether prompt fidelity by ${metric} drops is inconclusive${queriesOf(change)}: ${fromTo}.`,
  ];
}

/** @example " (36 queries)" or, where nothing can be claimed, " (3 queries are too few; it takes 6)" */
function queriesOf({ intervals: { clusters } }: ValueConclusion): string {
  const said =
    clusters < fewestToTell
      ? tooFewText(clusters, "query", "queries")
      : pluralText(clusters, "query", "queries");
  return ` (${said})`;
}

function worseSentence({ queries: { worse, queries, worsePairs, pairs } }: Audited): string {
  const known = queries.filter(({ difference }) => difference !== null).length;
  const [first] = worse;
  if (first === undefined)
    return `None of ${pluralText(known, "query", "queries")} got worse over all its images; ${countText(worsePairs)} of ${pluralText(pairs, "pair")} of sets did.`;
  return `${countText(worse.length)} of ${pluralText(known, "query", "queries")} got worse, most of all “${first.query}” (from ${fixedText(first.initial, 3)} to ${fixedText(first.refined, 3)}).`;
}

function distanceSentence({ diversity }: Audited): string[] {
  const distance = diversity?.distance;
  if (distance === undefined) return [];
  const { initial, refined, difference } = distance.change.overall;
  if (initial === null || refined === null) return [];
  const isEnough = distance.change.intervals.clusters >= fewestToTell;
  const side = isEnough ? whichSide(difference) : undefined;
  const fromTo = `mean distance within a set from ${fixedText(initial, 3)} to ${fixedText(refined, 3)}, initial minus refined ${estimateText(difference)}`;
  if (side === "above") return [`Refined images of one set are more alike: ${fromTo}.`];
  if (side === "below") return [`Refined images of one set differ more: ${fromTo}.`];
  return [
    `Whether images of one set become more alike is inconclusive${queriesOf(distance.change)}: ${fromTo}.`,
  ];
}

function expertsSentence({ experts }: Audited): string[] {
  const [fall] = experts?.correction.falls ?? [];
  if (experts === undefined || fall === undefined) return [];
  const { names, n } = experts.between;
  const by = `${pluralText(n, "answer")} that ${pluralText(names.length, "expert")} labelled`;
  const { corrected } = fall;
  return corrected.value === null
    ? [`The judge's errors can't be corrected by ${by}: ${corrected.reason}.`]
    : [`Corrected by ${by}, the share of flagged items falls by ${percentText(corrected)} points.`];
}

function truthSentence({ truth }: Audited): string[] {
  if (truth === undefined || truth.spearman.value === null) return [];
  return [
    `The judged index follows the true one with Spearman's rho ${estimateText(truth.spearman)} over ${pluralText(truth.n, "set")}.`,
  ];
}
