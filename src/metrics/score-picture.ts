import {
  type Metric,
  type MetricFacts,
  type MetricInput,
  type MetricScore,
  metricFacts,
} from "../core/metric.js";
import type { CallOptions, DescribedEntity, Picture } from "../core/models.js";
import { partsOf } from "../core/score-parts.js";
import { NoAnswer, type UnscoredReason } from "../core/unscored.js";
import { watchingWhole } from "../core/whole-input.js";

export interface Scored extends MetricFacts, MetricScore {
  readonly status: "scored";
}

export interface Unscored extends MetricFacts {
  readonly status: "unscored";
  readonly reason: UnscoredReason;
  /** Whether asking again may bring an answer. */
  readonly retryable: boolean;
  readonly detail: string;
}

export type ScoreResult = Scored | Unscored;

/** The result for what was thrown in place of an answer; what is no `NoAnswer` is thrown on. */
export function unscoredBecause(metric: Metric, thrown: unknown): Unscored {
  if (!(thrown instanceof NoAnswer)) throw thrown;
  const { reason, retryable, message: detail } = thrown;
  return { status: "unscored", reason, retryable, detail, ...metricFacts(metric) };
}

/** A text's structure as somebody gave it; without it a metric that needs it finds it itself. */
export interface Structured {
  readonly structure?: readonly DescribedEntity[] | undefined;
}

/**
 * Scores an opened picture. No answer is a result too; a number that is not finite or lies outside
 * the metric's declared range is no answer ("unparsable").
 */
export async function scorePicture(
  metric: Metric,
  image: Picture,
  text: string,
  { structure, ...options }: CallOptions & Structured = {},
): Promise<ScoreResult> {
  try {
    const input = { image, text, ...(structure === undefined ? {} : { structure }) };
    const score = await checkedScore(metric, input, options);
    const facts = metricFacts(metric);
    return { status: "scored", value: score.value, ...facts, ...partsOf(score) };
  } catch (thrown) {
    return unscoredBecause(metric, thrown);
  }
}

/** Asks a metric; details say what of the input did not reach its model whole. @throws NoAnswer for a number outside of its range, which its trace then names. */
export async function checkedScore(
  metric: Metric,
  input: MetricInput,
  options: CallOptions,
): Promise<MetricScore> {
  const { name, range } = metric;
  const [low, high] = range;
  const { trace, found } = watchingWhole(options.trace);
  const answer = await metric.score(input, { ...options, trace });
  const isWhole = Object.keys(found).length === 0;
  const score = isWhole ? answer : { ...answer, details: { ...answer.details, ...found } };
  const { value } = score;
  // Models compute in 32 bits: a hair outside is rounding, not a broken promise.
  const slack = 1e-6 * (high - low);
  if (Number.isFinite(value) && value >= low - slack && value <= high + slack) return score;
  const problem = `Expected a number from ${low} to ${high} from the metric ${name} but received ${value}`;
  options.trace?.({ kind: "attempt-failed", attempt: 1, problem });
  throw new NoAnswer("unparsable", problem);
}
