import { type JudgingTask, sharedOf } from "../core/judging-task.js";
import { answersNeeded } from "../ensembles/binomial-bound.js";
import {
  type Assurance,
  type Certified,
  labelsThatWouldDo,
  type NotCertified,
  ofTry,
  type ThresholdCount,
  thresholdDecimals,
} from "../ensembles/selective-certificate.js";
import { countText, fixedText, pluralText } from "./number-text.js";

/** A share as a person says it: "5 %", "13.9 %". */
export const percentOf = (share: number): string =>
  `${fixedText(100 * share, 1).replace(/\.0$/, "")} %`;

/**
 * A threshold as a person types it, with as many decimals as tell it from 1. It is rounded up: who accepts
 * from the printed one on accepts nothing that is less sure than was certified.
 */
export function thresholdText(threshold: number): string {
  const decimals = thresholdDecimals(threshold);
  const text = fixedText(threshold, decimals);
  return Number(text) >= threshold
    ? text
    : fixedText(Number(text) + Number(`1e-${decimals}`), decimals);
}

/** Members of a judge that the sentences are made of. */
interface Judged {
  /** None where all that is known of a judge is a table of its answers. */
  readonly task?: JudgingTask;
  readonly certification: {
    readonly method: "split" | "cross-fitted" | "none";
    readonly counts: readonly ThresholdCount[];
    readonly tries?: number;
  };
  readonly labels: Readonly<Record<"n" | "ties" | "reviewed" | "couldDecide", number>>;
}

interface Wanted {
  readonly target: number;
  readonly confidence: number;
}

/** Says what a judge may decide alone, and what is promised of it, a sentence each. */
export function certificateText(
  certificate: Certified | NotCertified,
  judge: Judged,
  { target, confidence }: Wanted,
): string {
  const { tries = 1 } = judge.certification;
  if (certificate.threshold === null)
    return notCertifiedText(certificate, judge, { target, confidence, tries });
  const { n, accepted, wrong, threshold, errorBound } = certificate;
  const near =
    judge.certification.method === "cross-fitted"
      ? " This is approximate: each label was judged by a judge fitted without it; the saved judge is fitted to all."
      : "";
  return (
    `The judge may decide alone at confidence ${thresholdText(threshold)} or more: that accepts ` +
    `${countText(accepted)} of ${pluralText(n, "held-out label")} (${percentOf(accepted / n)}), ` +
    `${countText(wrong)} of them wrong. At most ${percentOf(target)} of what it accepts is wrong, with ` +
    `${percentOf(confidence)} confidence (upper bound ${percentOf(errorBound)}).${near}`
  );
}

function notCertifiedText(
  { n }: NotCertified,
  { task, certification, labels }: Judged,
  wanted: Assurance,
): string {
  const { target, confidence } = ofTry(wanted);
  const needed = answersNeeded(0, { target, confidence });
  if (n < needed) {
    return (
      `No confidence threshold is certified: ${tooFewText(task, labels)}. An error of at most ${percentOf(target)} takes ` +
      `at least ${countText(needed)}, all answered right, and further labels to ${task === undefined ? "choose the threshold" : "fit the judge"} by.`
    );
  }
  const would = labelsThatWouldDo(certification.counts, n, wanted);
  return (
    `No confidence threshold is certified: on ${pluralText(n, "held-out label")}, none certifies ` +
    `an error of at most ${percentOf(target)}. ` +
    (would === undefined
      ? "Too many of its most confident answers were wrong, so more labels alone will not help: try a better model, other prompts or a higher target."
      : `About ${countText(would)} held-out labels would suffice if new ones are like these: ` +
        `${countText(would - n)} more.${answersOnlyFit(labels.reviewed)}`)
  );
}

/** @example "only 30 of 1,000 labels could set the threshold (one of each caption), too few" */
function tooFewText(
  task: JudgingTask | undefined,
  { n, ties, reviewed, couldDecide }: Judged["labels"],
): string {
  if (couldDecide === n - ties)
    return `${pluralText(couldDecide, "label")} ${couldDecide === 1 ? "is" : "are"} too few`;
  const why = [
    ...(couldDecide < n - ties - reviewed
      ? [`one of each ${task === undefined ? "prompt" : sharedOf(task)}`]
      : []),
    ...(reviewed > 0 ? ["none from review"] : []),
  ];
  return (
    `only ${countText(couldDecide)} of ${pluralText(n - ties, "label")} could set the threshold ` +
    `(${why.join(" and ")}), too few`
  );
}

/** Says that answers from review do not change how many labels set the threshold. */
const answersOnlyFit = (reviewed: number): string =>
  reviewed === 0 ? "" : " Answers from review are not among them: they never set the threshold.";
