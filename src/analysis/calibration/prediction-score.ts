import { log } from "../../stats/elementary/logarithm.js";
import { square } from "../../stats/elementary/powers.js";
import type { Contributions } from "../../stats/paired-permutation.js";
import { confidenceBin } from "../../stats/reliability-bins.js";

/** Scores of predictions that methods are compared by. */
export const judgeMetrics = ["ece", "nll", "brier", "accuracy"] as const;
export type JudgeMetric = (typeof judgeMetrics)[number];

/** What a reader calls each. */
export const metricNames = {
  ece: "expected calibration error",
  nll: "negative log-likelihood",
  brier: "Brier score",
  accuracy: "accuracy",
} as const satisfies Readonly<Record<JudgeMetric, string>>;

export const isHigherBetter = (metric: JudgeMetric) => metric === "accuracy";

const bins = 10;
/** A probability of 0 for what happens would cost infinitely much. */
const leastProbability = 1e-15;

const isRight = (probability: number, label: number) =>
  (probability >= 0.5 ? 1 : 0) === label ? 1 : 0;
const confidence = (probability: number) => Math.max(probability, 1 - probability);

const contributions: Readonly<Record<JudgeMetric, (probability: number, label: number) => number>> =
  {
    ece: (probability, label) => isRight(probability, label) - confidence(probability),
    nll: (probability, label) =>
      -log(Math.max(label === 1 ? probability : 1 - probability, leastProbability)),
    brier: (probability, label) => square(probability - label),
    accuracy: isRight,
  };

/** Labels, 0 or 1, and the probabilities that they were given of 1. */
export interface Predictions {
  readonly label: Float64Array;
  readonly probability: Float64Array;
}

/**
 * Contribution of each prediction to a metric: to accuracy 1 where the likelier label is right (1 from
 * 0.5 on), to the Brier score its squared error, to the negative log-likelihood -ln of the
 * probability given to what is right (at least 1e-15), to the expected calibration error right -
 * confidence in its bin (ten bins of top-label confidence), as n |accuracy - confidence| of a bin is
 * the size of that sum.
 */
export function contributionsOf(
  metric: JudgeMetric,
  { label: labels, probability: probabilities }: Predictions,
): Contributions {
  const contribution = contributions[metric];
  const value = probabilities.map((probability, at) => contribution(probability, labels[at] ?? 0));
  if (metric !== "ece") return { value };
  const bin = Int32Array.from(probabilities, (probability) =>
    confidenceBin(confidence(probability), bins),
  );
  return { value, bin };
}
