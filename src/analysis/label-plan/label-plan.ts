import { randomFrom } from "../../core/random.js";
import { log } from "../../stats/elementary/logarithm.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { normalQuantile } from "../../stats/normal.js";
import { plannedMean } from "../../stats/planned-mean.js";
import { meanOf } from "../comparison/comparison-samples.js";
import { undefinedEstimate } from "../inference/intervals.js";
import {
  type ExpectedAnswer,
  expectedAnswers,
  fewestFor,
  fewestToLearn,
  spreadOf,
  type Usefulness,
  usefulness,
  WidthForecast,
} from "./expected-answers.js";
import { drawsOf, type PlanAim, type PlanUnit, planStrata } from "./plan-units.js";

export interface PlannedStratum {
  readonly name: string;
  readonly items: number;
  readonly labelled: number;
  readonly chosen: number;
  /** Of each item without a label; null where it has none left. */
  readonly probability: number | null;
  /** Expected standard deviation of answers within it; null where nothing tells. */
  readonly spread: number | null;
}

/** An item to ask about next. */
export interface ChosenUnit {
  /** Its place among the units. */
  readonly at: number;
  readonly probability: number;
  /** 1 / probability. */
  readonly weight: number;
  readonly stratum: string;
}

/** What labels so far say. */
export interface ReachedEstimate extends Estimate {
  readonly labels: number;
  readonly width: number | null;
  /** An interval that stays right however often one looks (an asymptotic confidence sequence). */
  readonly sequence: {
    readonly low: number | null;
    readonly high: number | null;
    readonly width: number | null;
  };
}

export interface LabelPlan {
  /** Number of items to ask about. */
  readonly chosen: number;
  readonly round: number;
  /** The widths of the 95 % interval once they are answered; null where labels all agree or the scale of ratings is unknown. */
  readonly expected: {
    readonly uniform: { readonly width: number | null };
    readonly planned: { readonly width: number | null };
  };
  /** Labels that uniform drawing would need more for the planned width; below 0 where it needs fewer. */
  readonly labelsSaved: number | null;
  /** Whether scores are of use; null before ten labels tell. */
  readonly useful: boolean | null;
  readonly correlation: { readonly value: number | null; readonly assumed: boolean };
  readonly items: number;
  readonly labels: number;
  /** Whether the wanted width is reached, so that nobody need be asked; null where none is wanted. */
  readonly enough: boolean | null;
  readonly reached: ReachedEstimate | null;
  readonly strata: readonly PlannedStratum[];
}

export interface LabelPlanOptions {
  readonly aim: PlanAim;
  /** The most items to ask about in this round. */
  readonly budget: number;
  /** The wanted width of the interval; fewer items are chosen where they are expected to do. */
  readonly width?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

/**
 * Chooses the items whose answers narrow an interval most, each with a probability of its own (active statistical
 * inference; Zrnic and Candès 2024): strata by score, domain and model; labels by Neyman's allocation to where answers
 * are expected to differ most; within a stratum all items alike, by the seed. Where labels so far say that scores are
 * of no use, all items have about the same probability. A later round draws from the items without a label; labels without
 * a probability count as a uniform sample drawn first.
 *
 * @returns the plan, and which units were chosen, in their order.
 */
export function labelPlan(
  given: readonly PlanUnit[],
  { aim, budget, width, seed = 0 }: LabelPlanOptions,
): LabelPlan & { readonly drawn: readonly ChosenUnit[] } {
  const units = withRoundZero(given);
  const open = units.filter(({ answer }) => answer === null).length;
  const labels = units.length - open;
  const found = usefulness(units);
  const expected = units.length === 0 ? undefined : expectedAnswers(units, { aim, ...found });
  const reached = labels < fewestToLearn ? null : reachedBy(units);
  const enough =
    width === undefined ? null : reached?.sequence.width != null && reached.sequence.width <= width;
  const layoutOf = layouts(units, expected, found);
  const isWide = (some: number) => {
    const { forecast, counts } = layoutOf(some);
    const planned = forecast?.planned(counts);
    if (planned === undefined || width === undefined) return true;
    // Whoever looks at labels more than once needs the confidence sequence.
    return planned * (reached === null ? 1 : sequenceFactor(labels + some)) > width;
  };
  const most = Math.min(budget, open);
  const least = Math.min(most, fewestToLearn);
  const count =
    enough === true
      ? 0
      : Math.max(
          least,
          fewestFor(most, (some) => !isWide(some)),
        );
  const { strata, places, counts, forecast } = layoutOf(count);
  const round =
    1 + units.reduce((last, one) => Math.max(last, one.answer === null ? 0 : (one.round ?? 0)), 0);
  const drawn = strata.flatMap(({ name }, at): ChosenUnit[] => {
    const its = places[at] ?? [];
    const chosen = counts[at] ?? 0;
    const probability = chosen / its.length;
    return randomFrom(seed, "label plan", round, name)
      .shuffle(its)
      .slice(0, chosen)
      .map((place) => ({ at: place, probability, weight: its.length / chosen, stratum: name }));
  });
  const planned = forecast?.planned(counts) ?? null;
  // Labels that all agree correlate with nothing.
  const tells = found.isUseful === null || expected !== undefined;
  const uniform = forecast?.uniform(labels + count) ?? null;
  return {
    chosen: count,
    round,
    expected: { uniform: { width: uniform }, planned: { width: planned } },
    labelsSaved:
      forecast === undefined || planned === null
        ? null
        : forecast.uniformFor(planned) - labels - count,
    useful: tells ? found.isUseful : null,
    correlation: { value: tells ? found.correlation : null, assumed: found.isUseful === null },
    items: units.length,
    labels,
    enough,
    reached,
    strata: strata.map(({ name, places: all }, at) => ({
      name,
      items: all.length,
      labelled: all.length - (places[at]?.length ?? 0),
      chosen: counts[at] ?? 0,
      probability:
        (places[at]?.length ?? 0) === 0 ? null : (counts[at] ?? 0) / (places[at]?.length ?? 1),
      spread: (expected && spreadOf(all, expected)) ?? null,
    })),
    drawn: drawn.sort((a, b) => a.at - b.at),
  };
}

/**
 * For a number of labels the strata, how many labels each gets, and the width to expect. Labels are drawn by the expected
 * spread and a tenth of the mean variance, since expectations may be wrong; alike where nothing is expected.
 */
function layouts(
  units: readonly PlanUnit[],
  expected: readonly ExpectedAnswer[] | undefined,
  { correlation }: Pick<Usefulness, "correlation">,
) {
  const caution = expected && meanOf(expected.map(({ variance }) => variance)) / 10;
  const spreadAt = (places: readonly number[]) =>
    expected === undefined || caution === undefined
      ? 1
      : Math.sqrt(square(spreadOf(places, expected)) + caution);
  const spreads = units.map((_, at) => spreadAt([at]));
  return (count: number) => {
    const strata = planStrata(units, { budget: count, spreads });
    const places = strata.map((one) => one.places.filter((at) => units[at]?.answer === null));
    const counts = allocateLabels(
      strata.map((one, at) => ({
        items: places[at]?.length ?? 0,
        spread: spreadAt(one.places),
      })),
      count,
    );
    const forecast = expected && new WidthForecast({ units, strata, expected, correlation });
    return { strata, places, counts, forecast };
  };
}

/** Labels at which the confidence sequence is narrowest; from 30 to 600 it is at most a twentieth wider. */
const narrowestAt = 100;

/**
 * How much wider a confidence sequence is than the 95 % interval of as many labels: Waudby-Smith, Arbour, Sinha, Kennedy
 * and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences" (2021), (14), sqrt((n r + 1) /
 * (n r) log((n r + 1) / alpha^2)) in place of 1.96, with an r that makes it narrowest at 100 labels whatever was asked
 * for: it may not depend on what was seen.
 */
function sequenceFactor(labels: number): number {
  const alpha = 0.05;
  const best = -2 * log(alpha) + log(-2 * log(alpha) + 1);
  const scaled = (labels * best) / narrowestAt;
  const errors = Math.sqrt(((scaled + 1) / scaled) * log((scaled + 1) / square(alpha)));
  return errors / normalQuantile(1 - alpha / 2);
}

/** The estimate from labels so far. */
function reachedBy(units: readonly PlanUnit[]): ReachedEstimate {
  const known = units.filter(({ answer }) => answer !== null);
  const labels = known.length;
  const found = plannedMean({
    human: known.map(({ answer }) => answer ?? 0),
    metric: known.map(({ forecast }) => forecast),
    others: units.filter(({ answer }) => answer === null).map(({ forecast }) => forecast),
    ...drawsOf(known),
    largestWeight: Number.POSITIVE_INFINITY,
  });
  const { value, low, high, reason } = found;
  const none = { low: null, high: null, width: null };
  if (value === null || low === null || high === null) {
    return {
      ...undefinedEstimate(reason ?? "nothing is labelled"),
      value,
      labels,
      width: null,
      sequence: none,
    };
  }
  const margin = (sequenceFactor(labels) * (high - low)) / 2;
  return {
    value,
    low,
    high,
    labels,
    width: high - low,
    sequence: { low: value - margin, high: value + margin, width: 2 * margin },
  };
}

/** Labels without a probability count as a uniform sample that was drawn first, as `compare` takes them. */
function withRoundZero(units: readonly PlanUnit[]): readonly PlanUnit[] {
  const isEarlier = ({ answer, weight }: PlanUnit) => answer !== null && weight === null;
  const earlier = units.filter(isEarlier).length;
  return units.map((unit) =>
    isEarlier(unit) ? { ...unit, weight: units.length / earlier, round: 0, stratum: null } : unit,
  );
}

/** A stratum to draw from. */
interface OpenStratum {
  /** Items without a label. */
  readonly items: number;
  /** The expected standard deviation of answers within it. */
  readonly spread: number;
}

/** The least probability of an item, as a share of the mean probability, so that no weight explodes. */
const leastShare = 0.02;
/** Fewer labels in a stratum tell no variance. */
const fewest = 2;

/**
 * How many labels each stratum gets of a budget: Neyman allocation, labels in proportion to items x spread, made whole
 * by giving each label to where it lowers sum (items x spread)^2 / labels most, which is optimal. Every stratum gets
 * two or all of its items, and no probability is below `leastShare` of the mean, as far as the budget goes.
 *
 * @param budget at most the items there are.
 * @example allocateLabels([{ items: 50, spread: 0.5 }, { items: 50, spread: 0.1 }], 12) // [10, 2]
 */
export function allocateLabels(strata: readonly OpenStratum[], budget: number): number[] {
  const all = strata.reduce((sum, { items }) => sum + items, 0);
  const floor = (leastShare * budget) / all;
  const counts = strata.map(() => 0);
  const most = Math.min(budget, all);
  const least = strata.map(({ items }) =>
    Math.min(items, Math.max(fewest, Math.ceil(floor * items))),
  );
  const gain = (at: number) => {
    const { items, spread } = strata[at] ?? { items: 0, spread: 0 };
    const count = counts[at] ?? 0;
    if (count >= items) return -1;
    if (count < (least[at] ?? 0)) return Number.MAX_VALUE / (count + 1);
    return square(items * spread) / (count * (count + 1));
  };
  for (let given = 0; given < most; given++) {
    let best = 0;
    for (let at = 1; at < strata.length; at++) if (gain(at) > gain(best)) best = at;
    counts[best] = (counts[best] ?? 0) + 1;
  }
  return counts;
}
