import { type AnswerModel, answerModel } from "../ensembles/fewer-calls-forecast.js";
import {
  type Approximation,
  type Decided,
  type ReplayedItem,
  replayFewerCalls,
} from "../ensembles/fewer-calls-replay.js";
import {
  type CheckedDecision,
  countsAtThresholds,
  type ThresholdCount,
  type TriedThreshold,
  triedThresholds,
} from "../ensembles/selective-certificate.js";
import { expectedCalibrationError } from "../stats/calibration-error.js";
import type { Estimate } from "../stats/estimate.js";
import { claimBinner } from "../stats/reliability-bins.js";
import { wilsonInterval } from "../stats/share-interval.js";
import { twoAnswers } from "./answer-kind.js";
import {
  ensembleAnswers,
  type FittingItems,
  type Weighing,
  weightsOfItems,
} from "./calibrate-fit.js";

/** How likely a verdict of `--approximate` may be another one than all prompts' together. */
export const risk = 0.01;

/** Approximate asking is tried at every so many thresholds: each takes a replay of every item. */
const coarse = 5;

/** Outcomes of every threshold on held-out items. */
export interface Counted {
  readonly counts: ThresholdCount[];
  /** The same of approximate asking, at every fifth threshold; empty where there is none. */
  readonly approximate: ThresholdCount[];
}

/** Thresholds to try, from the items that the judge was fitted to. */
export function thresholdsOf(judge: Weighing, fitting: FittingItems): TriedThreshold[] {
  const { kind = twoAnswers } = fitting;
  const sure = ensembleAnswers(judge, fitting)
    .map((shares) => kind.decide(shares).confidence)
    .filter((confidence) => !Number.isNaN(confidence));
  return triedThresholds(sure, kind.leastConfidence);
}

/**
 * Counts what thresholds accept, and how much of it is wrong, among held-out items; once
 * with every prompt asked (which stopping where nothing can change equals), once with approximate asking
 * where a model of the answers is given. Items that no prompt answered are accepted by none.
 */
export function countDecisions(
  judge: Weighing,
  deciding: FittingItems,
  tried: readonly TriedThreshold[],
  model: AnswerModel | undefined,
): Counted {
  const { kind = twoAnswers, labels } = deciding;
  const decisions = ensembleAnswers(judge, deciding).flatMap((shares, at): CheckedDecision[] => {
    const { says, confidence } = kind.decide(shares);
    if (Number.isNaN(confidence)) return [];
    return [{ confidence, isWrong: kind.isWrong(says, labels[at] ?? Number.NaN) }];
  });
  const some = tried.filter((_, at) => (at + 1) % coarse === 0);
  return {
    counts: countsAtThresholds(decisions, tried),
    approximate:
      model === undefined
        ? []
        : some.map((each) => approximateCount(judge, deciding, each, { model, risk })),
  };
}

function approximateCount(
  judge: Weighing,
  deciding: FittingItems,
  tried: TriedThreshold,
  approximate: Approximation,
): ThresholdCount {
  const { kind = twoAnswers, labels } = deciding;
  const replayed = replayOf(judge, deciding, tried.threshold, approximate);
  const accepted = replayed.flatMap(({ stopped: { verdict } }, at) =>
    verdict === null ? [] : [{ isWrong: kind.isWrong(verdict, labels[at] ?? Number.NaN) }],
  );
  const wrong = accepted.filter(({ isWrong }) => isWrong).length;
  return { ...tried, accepted: accepted.length, wrong };
}

function replayOf(
  judge: Weighing,
  { answers, prompts, labels, embeddings, kind = twoAnswers }: FittingItems,
  threshold: number,
  approximate?: Approximation,
): ReplayedItem[] {
  const weights = weightsOfItems(judge, { items: labels.length, prompts, embeddings });
  return replayFewerCalls({
    weights,
    answers,
    prompts,
    rule: kind.rule(threshold, approximate),
    full: kind.rule(threshold),
  });
}

/** Results of fewer calls, against asking every prompt of the same items. */
export interface FewerCallsMeasured {
  readonly n: number;
  readonly threshold: number;
  /** The share of calls that are still made. */
  readonly calls: number;
  /** The share of items with the verdict of all prompts. */
  readonly equal: Estimate;
  /** The expected calibration error, less that of all prompts; null where there is none. */
  readonly eceChange: number | null;
}

/**
 * Measures what stopping early saves and changes at a threshold.
 *
 * @param approximate default: only what can't change the verdict is left out.
 */
export function measureFewerCalls(
  judge: Weighing,
  items: FittingItems,
  threshold: number,
  approximate?: Approximation,
): FewerCallsMeasured {
  const replayed = replayOf(judge, items, threshold, approximate);
  const n = replayed.length;
  const equal = replayed.filter(({ stopped, full }) => stopped.verdict === full.verdict).length;
  const eceOf = (which: "stopped" | "full") => calibrationErrorOf(replayed, which, items);
  const [few, full] = [eceOf("stopped"), eceOf("full")];
  return {
    n,
    threshold,
    calls: replayed.reduce((sum, { calls }) => sum + calls, 0) / Math.max(1, n * items.prompts),
    equal: wilsonInterval(equal, n),
    eceChange: Number.isNaN(few) || Number.isNaN(full) ? null : few - full,
  };
}

/** Calibration error of the headline answers; items that nobody answered are left out. */
function calibrationErrorOf(
  replayed: readonly Readonly<Record<"stopped" | "full", Decided>>[],
  which: "stopped" | "full",
  { labels, kind = twoAnswers }: FittingItems,
): number {
  const claims = replayed.flatMap((one, at) => {
    const { says, confidence } = kind.decide(one[which].shares);
    if (Number.isNaN(confidence)) return [];
    return [{ confidence, outcome: kind.isWrong(says, labels[at] ?? Number.NaN) ? 0 : 1 }];
  });
  const bins = claimBinner(
    {
      outcomes: Uint8Array.from(claims, ({ outcome }) => outcome),
      confidences: Float64Array.from(claims, ({ confidence }) => confidence),
    },
    {},
  );
  return expectedCalibrationError(bins());
}

/** How answers hang together on the items that the judge was fitted to; of ratings that is not known. */
export const answersOf = ({
  answers,
  prompts,
  kind = twoAnswers,
}: FittingItems): AnswerModel | undefined =>
  kind.width === 1 ? answerModel(answers, prompts) : undefined;
