import { agreement } from "../../analysis/agreement/agreement.js";
import { comparison } from "../../analysis/comparison/comparison.js";
import { fewestClusters } from "../../analysis/inference/prompt-clusters.js";
import { InputError } from "../../core/errors.js";
import { type Random, randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { influenceError, twoWayError } from "../../stats/influence-error.js";
import { wilsonInterval } from "../../stats/share-interval.js";
import type { BlockSettings } from "../config/study-config.js";
import { hasLevels } from "../protocols/protocols.js";
import { type Aim, type AnswerModel, answerModel } from "./answer-model.js";

export interface StudyPlanOptions {
  readonly aim: Aim;
  /** The power to reach, in (0, 1). Default 0.8. */
  readonly power?: number | undefined;
  /** Answers per item. Default: the block's. */
  readonly raters?: number | undefined;
  /**
   * Probability of a wrong answer by a rater, each wrong answer being equally likely, in [0, 1]. Default
   * 0.1.
   */
  readonly error?: number | undefined;
  /** localized, rubric: the true share of yes. Default 0.5. */
  readonly prevalence?: number | undefined;
  /** pairwise: the true share of ties. Default 0.2; 0 where the block has none. */
  readonly ties?: number | undefined;
  /** Simulated studies for each number of items. Default 500. */
  readonly simulations?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

/** The power of a study with a number of items. */
export interface PlannedPoint {
  readonly items: number;
  /** The share of simulations that show the aim, with its 95 % Monte Carlo interval. */
  readonly power: Estimate;
  /** How many studies were simulated; fewer while the range was searched. */
  readonly simulations: number;
}

export interface StudyPlan {
  /** The measure that is estimated. */
  readonly measure: "difference" | "win rate" | "Krippendorff's alpha" | "Fleiss' kappa";
  /** The fewest items found that reach the power; null with a reason where none do. */
  readonly items: number | null;
  readonly reason?: string;
  readonly ratersPerItem: number;
  readonly power: Estimate | null;
  /** The numbers of items that were tried, from the fewest up. */
  readonly curve: readonly PlannedPoint[];
}

const mostItems = 10_000;
/** Simulations of each number of items while the range is searched. */
const coarse = 100;

/**
 * Finds by simulation how many items a block needs: answers are drawn from a simple model (`answerModel`) and
 * analysed as `analyze` does. The power is the share of simulations whose 95 % interval excludes a
 * difference of 0, a win rate of 0.5, or all agreement up to `kappa`. The number of items, from 30 of each
 * group on, is doubled until the power is reached, then halved in between, to one in twenty. Intervals
 * of differences and win rates come from the delta method, those of agreement from 200 resamples.
 *
 * @throws InputError for a difference that the protocol's answers can't have.
 */
export function planStudy(
  settings: BlockSettings,
  {
    aim,
    power = 0.8,
    raters = settings.ratingsPerItem,
    error = 0.1,
    prevalence = 0.5,
    ties = 0.2,
    simulations = 500,
    seed = 0,
  }: StudyPlanOptions,
): StudyPlan {
  const { protocol } = settings;
  const model = answerModel(settings, { aim, prevalence, ties });
  if ("kappa" in aim && raters < 2) {
    throw new InputError(`Expected 2 or more for raters but received ${raters}`, {
      hint: "Agreement needs two answers per item.",
    });
  }
  const study = (items: number): SimulatedStudy => {
    const itemsPerPerson = settings.itemsPerParticipant;
    return { protocol, model, aim, items, raters, error, itemsPerPerson };
  };
  const tried = new Map<number, Omit<PlannedPoint, "items">>();
  const powerAt = (items: number, times: number): number => {
    let shown = 0;
    for (let at = 0; at < times; at++) {
      const one = study(items);
      if (isShown(simulatedEstimate(one, randomFrom(seed, "study plan", at)), one)) shown += 1;
    }
    const found = wilsonInterval(shown, times);
    tried.set(items, { power: found, simulations: times });
    return found.value ?? 0;
  };
  const measure =
    "kappa" in aim
      ? hasLevels(protocol)
        ? "Krippendorff's alpha"
        : "Fleiss' kappa"
      : protocol === "pairwise"
        ? "win rate"
        : "difference";
  const planned = (items: number | null, reason?: string): StudyPlan => ({
    measure,
    items,
    ...(reason === undefined ? {} : { reason }),
    ratersPerItem: raters,
    power: items === null ? null : (tried.get(items)?.power ?? null),
    curve: [...tried].sort(([a], [b]) => a - b).map(([items, point]) => ({ items, ...point })),
  });

  const hopeless = whyNever(study(mostItems), seed);
  if (hopeless !== undefined) return planned(null, hopeless);
  // Two models' items come in pairs.
  const step = model.groups.length;
  const quick = Math.min(coarse, simulations);
  let below = 0;
  // Fewer items give intervals that are too narrow and a power that is too high.
  let above = step * fewestClusters;
  for (;;) {
    if (powerAt(above, quick) >= power && powerAt(above, simulations) >= power) break;
    if (above === mostItems) {
      return planned(null, `power ${power} is not reached with up to 10,000 items`);
    }
    below = above;
    above = Math.min(mostItems, 2 * above);
  }
  while (below > 0 && above - below > Math.max(step, above / 20)) {
    const middle = step * Math.round((below + above) / 2 / step);
    if (middle <= below || middle >= above) break;
    if (powerAt(middle, simulations) >= power) above = middle;
    else below = middle;
  }
  return planned(above);
}

/**
 * Says why no number of items can show the aim, from one simulated study of very many items; else
 * undefined.
 */
function whyNever(study: SimulatedStudy, seed: number): string | undefined {
  const { aim, error, model } = study;
  const count = model.answers.length;
  if (error >= (count - 1) / count) {
    return `raters with an error rate of ${error} answer by chance or worse`;
  }
  if (!("kappa" in aim)) return undefined;
  const { value } = simulatedEstimate(study, randomFrom(seed, "study plan", "expected"));
  if (value === null || value > aim.kappa) return undefined;
  const name = hasLevels(study.protocol) ? "an alpha" : "a kappa";
  return `raters with an error rate of ${error} agree by ${name} of ${value.toFixed(2)}`;
}

/** A study to simulate. */
export interface SimulatedStudy {
  readonly protocol: string;
  readonly model: AnswerModel;
  readonly aim: Aim;
  readonly items: number;
  /** Answers per item, each by another person. */
  readonly raters: number;
  /** The most items that a person rates; all of them where not given. */
  readonly itemsPerPerson?: number | undefined;
  /** Probability that a rater gives one of the other answers, each being equally likely. */
  readonly error: number;
}

/**
 * Draws the answers of one study and returns its estimate with a 95 % interval, resampling items.
 *
 * @param random gives the same first items whatever the number of items
 */
export function simulatedEstimate(study: SimulatedStudy, random: Random): Estimate {
  const answers = simulatedAnswers(study, random);
  if ("kappa" in study.aim) return agreementOf(study, answers);
  return study.protocol === "pairwise" ? winRate(study, answers) : difference(study, answers);
}

/** Tests whether an interval excludes no difference; for an agreement, whether it lies above the aim. */
export function isShown({ low, high }: Estimate, { aim, protocol }: SimulatedStudy): boolean {
  if (low === null || high === null) return false;
  if ("kappa" in aim) return low > aim.kappa;
  const none = protocol === "pairwise" ? 0.5 : 0;
  return low > none || high < none;
}

/** Draws the answers to each item, as places in the model's answers. */
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
 * The win rate with ties as half, as of `analyze preferences --cluster both`, computed directly since a plan
 * needs thousands. People take turns, so that all rate the same number.
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

/** Cost of a study, in people, time and money. */
export interface StudyCost {
  readonly participants: number;
  /** Answers that count: items times raters. */
  readonly labels: number;
  /** Hours to answer, repeats included; without consent, gold items and pauses. */
  readonly hours: number;
  /** Hours times the rate; null without one. */
  readonly cost: number | null;
}

/**
 * People, hours and money for so many items.
 *
 * @param options.rate money per hour of a participant
 * @example studyCost(block, { items: 100, raters: 3, seconds: 12, rate: 15 }).cost // 15: 300 answers, 1 hour
 */
export function studyCost(
  { itemsPerParticipant, repeats }: BlockSettings,
  {
    items,
    raters,
    seconds,
    rate,
  }: {
    readonly items: number;
    readonly raters: number;
    readonly seconds: number;
    readonly rate?: number | undefined;
  },
): StudyCost {
  const labels = items * raters;
  const each = Math.min(itemsPerParticipant ?? items, items);
  const participants = Math.max(raters, Math.ceil(labels / each));
  const hours = ((labels + participants * repeats) * seconds) / 3600;
  return { participants, labels, hours, cost: rate === undefined ? null : hours * rate };
}
