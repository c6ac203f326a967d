import { square } from "../../stats/elementary/powers.js";
import { roundPrecision, roundWeights } from "../../stats/planned-mean.js";
import { criticalT } from "../../stats/student-t.js";
import { meanOf } from "../comparison/comparison-samples.js";
import { type ExpectedAnswer, fewestToLearn } from "./expected-answers.js";
import { drawsOf, type PlanStratum, type PlanUnit } from "./plan-units.js";

/** Forecasts of the interval's width, by what is expected of answers. */
export class WidthForecast {
  readonly #items: number;
  readonly #variance: number;
  readonly #left: number;
  readonly #strata: readonly { readonly open: number; readonly spread: number }[];
  readonly #before: {
    readonly labels: number;
    readonly precision: number;
    readonly variance: number;
  };

  constructor({
    units,
    strata,
    expected,
    correlation,
  }: {
    readonly units: readonly PlanUnit[];
    readonly strata: readonly PlanStratum[];
    readonly expected: readonly ExpectedAnswer[];
    readonly correlation: number;
  }) {
    const all = [...units.keys()];
    this.#items = units.length;
    this.#variance = square(spreadOf(all, expected));
    const known = units.flatMap((unit, at) => (unit.answer === null ? [] : [at]));
    const linear =
      known.length < fewestToLearn ? linearShare(units, expected) : square(correlation);
    this.#left = this.#variance * (1 - linear);
    this.#strata = strata.map(({ places }) => ({
      open: places.filter((at) => units[at]?.answer === null).length,
      spread: spreadOf(places, expected),
    }));
    // Of earlier rounds, each label stands for as many items as its weight says.
    const labelled = known.flatMap((at) => units[at] ?? []);
    const { drawn, precision } = roundWeights(drawsOf(labelled));
    const spreadAt = new Map(
      strata.flatMap(({ places }, at) => places.map((place) => [place, at] as const)),
    );
    const variance = known.reduce((sum, place, at) => {
      const spread = this.#strata[spreadAt.get(place) ?? 0]?.spread ?? 0;
      return (
        sum +
        square((drawn[at] ?? 0) / this.#items) *
          square(spread) *
          (1 - 1 / (units[place]?.weight ?? 1))
      );
    }, 0);
    this.#before = { labels: known.length, precision, variance };
  }

  /** With so many labels more of each stratum, and those of earlier rounds. */
  planned(counts: readonly number[]): number {
    const more = counts.reduce((sum, count) => sum + count, 0);
    const { labels, precision, variance } = this.#before;
    const ofRound = this.#strata.reduce((sum, { open, spread }, at) => {
      const count = counts[at] ?? 0;
      return count === 0
        ? sum
        : sum + square((open * spread) / this.#items) * (1 / count - 1 / open);
    }, 0);
    const own = more === 0 ? 0 : roundPrecision(more, this.#items - labels);
    const share = own + precision === 0 ? 0 : own / (own + precision);
    const ofDraws = square(share) * ofRound + square(1 - share) * variance;
    return this.#width(ofDraws, more + labels);
  }

  /** With so many labels drawn uniformly, and prediction-powered inference. */
  uniform(labels: number): number {
    return this.#width(this.#left * (1 / labels - 1 / this.#items), labels);
  }

  /** How many labels drawn uniformly give this width. */
  uniformFor(width: number): number {
    return fewestFor(this.#items, (count) => this.uniform(count) <= width);
  }

  #width(ofDraws: number, labels: number): number {
    const error = Math.sqrt(ofDraws + this.#variance / this.#items);
    return 2 * criticalT(0.05, Math.max(1, labels - 2)) * error;
  }
}

/** The share of the answers' variance that a line on scores explains, by what is expected of them. */
function linearShare(units: readonly PlanUnit[], expected: readonly ExpectedAnswer[]): number {
  const [score, mean] = [
    meanOf(units.map(({ forecast }) => forecast)),
    meanOf(expected.map((one) => one.mean)),
  ];
  const spread = meanOf(units.map(({ forecast }) => square(forecast - score)));
  const together = meanOf(
    units.map(({ forecast }, at) => (forecast - score) * ((expected[at]?.mean ?? 0) - mean)),
  );
  const variance = meanOf(expected.map((one) => one.variance + square(one.mean - mean)));
  return spread > 0 && variance > 0 ? square(together) / (spread * variance) : 0;
}

/** The fewest that do, of those that are not more than `most`; `most` where none does. */
export function fewestFor(most: number, suffices: (count: number) => boolean): number {
  let [tooFew, enough] = [0, most];
  if (!suffices(most)) return most;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (suffices(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** The standard deviation of answers within a stratum. */
export function spreadOf(places: readonly number[], expected: readonly ExpectedAnswer[]): number {
  const its = places.map((at) => expected[at] ?? { mean: 0, variance: 0 });
  const mean = meanOf(its.map((one) => one.mean));
  return Math.sqrt(meanOf(its.map((one) => one.variance + square(one.mean - mean))));
}
