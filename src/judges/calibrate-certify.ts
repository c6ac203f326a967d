import { calibration } from "../analysis/calibration.js";
import { type AnswerModel, answerModel } from "../ensembles/fewer-calls-forecast.js";
import { type Approximation, replayFewerCalls } from "../ensembles/fewer-calls-replay.js";
import {
  type CheckedDecision,
  countsAtThresholds,
  type ThresholdCount,
} from "../ensembles/selective-counts.js";
import { type TriedThreshold, triedThresholds } from "../ensembles/selective-thresholds.js";
import type { Estimate } from "../stats/estimate.js";
import { wilsonInterval } from "../stats/wilson-interval.js";
import {
  ensembleAnswers,
  type FittingPairs,
  type Weighing,
  weightsOfPairs,
} from "./calibrate-fit.js";

/** How likely a verdict of `--approximate` may be another one than all prompts' together. */
export const risk = 0.01;

/** Approximate asking is tried at every so many thresholds: each takes a replay of every pair. */
const coarse = 5;

/** What every threshold did on pairs that fitted nothing. */
export interface Counted {
  readonly counts: ThresholdCount[];
  /** The same of approximate asking, at every fifth threshold. */
  readonly approximate: ThresholdCount[];
}

/** Thresholds to try, from the pairs that the judge was fitted to. */
export function thresholdsOf(judge: Weighing, fitting: FittingPairs): TriedThreshold[] {
  const sure = Array.from(ensembleAnswers(judge, fitting)).filter((p) => !Number.isNaN(p));
  return triedThresholds(sure.map((p) => Math.max(p, 1 - p)));
}

/**
 * Counts what thresholds accept, and how much of it is wrong, among pairs that fitted nothing; once
 * with every prompt asked (which stopping where nothing can change equals), once with approximate asking. Pairs that no
 * prompt answered are accepted by none.
 */
export function countDecisions(
  judge: Weighing,
  deciding: FittingPairs,
  tried: readonly TriedThreshold[],
  model: AnswerModel,
): Counted {
  const probabilities = ensembleAnswers(judge, deciding);
  const decisions = Array.from(probabilities).flatMap((probability, at): CheckedDecision[] => {
    if (Number.isNaN(probability)) return [];
    const says = probability >= 0.5 ? 1 : 0;
    const isWrong = says !== deciding.labels[at];
    return [{ confidence: Math.max(probability, 1 - probability), isWrong }];
  });
  const some = tried.filter((_, at) => (at + 1) % coarse === 0);
  return {
    counts: countsAtThresholds(decisions, tried),
    approximate: some.map((each) => approximateCount(judge, deciding, each, { model, risk })),
  };
}

function approximateCount(
  judge: Weighing,
  deciding: FittingPairs,
  tried: TriedThreshold,
  approximate: Approximation,
): ThresholdCount {
  const replayed = replayOf(judge, deciding, tried.threshold, approximate);
  const accepted = replayed.flatMap(({ verdict }, at) =>
    verdict === "review" ? [] : [{ isWrong: (verdict === "a" ? 1 : 0) !== deciding.labels[at] }],
  );
  const wrong = accepted.filter(({ isWrong }) => isWrong).length;
  return { ...tried, accepted: accepted.length, wrong };
}

function replayOf(
  judge: Weighing,
  { answers, prompts, labels, embeddings }: FittingPairs,
  threshold: number,
  approximate?: Approximation,
) {
  const weights = weightsOfPairs(judge, { pairs: labels.length, prompts, embeddings });
  return replayFewerCalls({ weights, answers, prompts, threshold, approximate });
}

/** What fewer calls would have done, against asking every prompt of the same pairs. */
export interface FewerCallsMeasured {
  readonly n: number;
  readonly threshold: number;
  /** The share of calls that are still made. */
  readonly calls: number;
  /** The share of pairs with the verdict of all prompts. */
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
  pairs: FittingPairs,
  threshold: number,
  approximate?: Approximation,
): FewerCallsMeasured {
  const replayed = replayOf(judge, pairs, threshold, approximate);
  const n = replayed.length;
  const equal = replayed.filter(({ verdict, fullVerdict }) => verdict === fullVerdict).length;
  const eceOf = (probability: (one: (typeof replayed)[number]) => number) =>
    calibration(
      replayed.map((one, at) => {
        const value = probability(one);
        const label = pairs.labels[at] ?? null;
        return { id: String(at), label, probability: Number.isNaN(value) ? null : value };
      }),
      { resamples: 100 },
    ).ece;
  const [few, full] = [eceOf((one) => one.probability), eceOf((one) => one.fullProbability)];
  return {
    n,
    threshold,
    calls: replayed.reduce((sum, { calls }) => sum + calls, 0) / Math.max(1, n * pairs.prompts),
    equal: wilsonInterval(equal, n),
    eceChange: few === null || full === null ? null : few - full,
  };
}

/** How answers hang together on the pairs that the judge was fitted to. */
export const answersOf = ({ answers, prompts }: FittingPairs): AnswerModel =>
  answerModel(answers, prompts);
