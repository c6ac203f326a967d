import { agreement } from "../../analysis/agreement/agreement.js";
import { comparison } from "../../analysis/comparison/comparison.js";
import type { Random } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { influenceError } from "../../stats/influence-error.js";
import { twoWayError } from "../../stats/two-way-error.js";
import { hasLevels, type ProtocolName } from "../config/study-config.js";
import type { Aim, AnswerModel } from "./answer-model.js";

/** A study as it is simulated. */
export interface SimulatedStudy {
  readonly protocol: ProtocolName;
  readonly model: AnswerModel;
  readonly aim: Aim;
  readonly items: number;
  /** Answers per item, each by another person. */
  readonly raters: number;
  /** So many items a person rates at most; everybody all where not given. */
  readonly itemsPerPerson?: number | undefined;
  /** Probability that a rater gives one of the other answers, each as likely. */
  readonly error: number;
}

/**
 * Draws the answers of one study and analyses them: what it estimates, with its 95 % interval. Items
 * are the units that are drawn, since raters share them.
 *
 * @param random the first items are the same whatever the number of items.
 */
export function simulatedEstimate(study: SimulatedStudy, random: Random): Estimate {
  const answers = simulatedAnswers(study, random);
  if ("kappa" in study.aim) return agreementOf(study, answers);
  return study.protocol === "pairwise" ? winRate(study, answers) : difference(study, answers);
}

/** The value that an estimate's interval is to exclude: on both sides, or below it for an agreement. */
export function isShown({ low, high }: Estimate, { aim, protocol }: SimulatedStudy): boolean {
  if (low === null || high === null) return false;
  if ("kappa" in aim) return low > aim.kappa;
  const none = protocol === "pairwise" ? 0.5 : 0;
  return low > none || high < none;
}

/** The answers to each item, as places in the model's answers. */
export function simulatedAnswers(
  { model, items, raters, error }: SimulatedStudy,
  random: Random,
): readonly (readonly number[])[] {
  const count = model.answers.length;
  return Array.from({ length: items }, (_, item) => {
    const truth = drawn(model.groups[item % model.groups.length] ?? [], random);
    return Array.from({ length: raters }, () =>
      random.chance(error) ? (truth + 1 + random.integer(count - 1)) % count : truth,
    );
  });
}

function drawn(probabilities: readonly number[], random: Random): number {
  let left = random.next();
  const at = probabilities.findIndex((probability) => {
    left -= probability;
    return left < 0;
  });
  return at < 0 ? probabilities.length - 1 : at;
}

/** The mean of the better model's items minus that of the worse one's, over pairs of items. */
function difference({ model }: SimulatedStudy, answers: readonly (readonly number[])[]): Estimate {
  const rows = answers.map((own, item) => ({
    model: item % 2 === 0 ? "a" : "b",
    prompt: String(Math.floor(item / 2)),
    score: own.reduce((sum, at) => sum + (model.values[at] ?? 0), 0) / own.length,
  }));
  const [pair] = comparison(rows, { test: "t", interval: "delta" }).pairs;
  return pair?.difference ?? nothing;
}

/**
 * The mean of wins and half of ties, as `analyze preferences --cluster both` has it, worked out directly
 * as a plan takes it thousands of times. Whose turn it is goes round, so that all rate as many.
 */
function winRate(
  { model, items, raters, itemsPerPerson = items }: SimulatedStudy,
  answers: readonly (readonly number[])[],
): Estimate {
  const people = Math.max(raters, Math.ceil((items * raters) / itemsPerPerson));
  const won = Float64Array.from(answers.flat(), (at) => model.values[at] ?? 0);
  const value = won.reduce((sum, one) => sum + one, 0) / won.length;
  const influence = won.map((one) => (one - value) / won.length);
  const place = Int32Array.from(won, (_, row) => row);
  const item = { cluster: place.map((row) => Math.floor(row / raters)), clusters: items };
  const annotator = { cluster: place.map((row) => row % people), clusters: people };
  const both = { cluster: place, clusters: won.length };
  const error =
    people === 1
      ? influenceError(influence, item.cluster, items)
      : twoWayError(influence, { one: annotator, other: item, both });
  const margin = z * error;
  if (!(margin > 0)) return { value, low: null, high: null, reason: "all answers are alike" };
  return { value, low: Math.max(0, value - margin), high: Math.min(1, value + margin) };
}

/** Half the width of a 95 % interval, in standard errors. */
const z = 1.959963984540054;

function agreementOf(
  { model, protocol }: SimulatedStudy,
  answers: readonly (readonly number[])[],
): Estimate {
  const rows = answers.flatMap((own, item) =>
    own.map((at) => ({ item: String(item), value: model.answers[at] })),
  );
  const options = { categories: model.answers, resamples: 200 };
  return hasLevels(protocol)
    ? agreement(rows, { scale: "ordinal", ...options }).intervalsOf.krippendorffAlpha
    : agreement(rows, { scale: "nominal", ...options }).intervalsOf.fleissKappa;
}

const nothing: Estimate = { value: null, low: null, high: null, reason: "nothing was answered" };
