import { square } from "../../stats/elementary/powers.js";
import { criticalT, studentTPValue } from "../../stats/incomplete-beta.js";
import { logisticRegression } from "../../stats/logistic-fit.js";
import { normalTails } from "../../stats/normal.js";
import { roundPrecision, roundWeights } from "../../stats/planned-mean.js";
import { meanOf } from "../comparison/comparison-samples.js";
import { drawsOf, type PlanAim, type PlanStratum, type PlanUnit } from "./plan-units.js";

/** What is expected of an answer before it is asked for. */
export interface ExpectedAnswer {
  readonly mean: number;
  readonly variance: number;
}

/** How far scores help: what labels so far say, or what is assumed before there are any. */
export interface Usefulness {
  /** Correlation of scores and answers. */
  readonly correlation: number;
  /** Whether scores are of use; null where fewer than ten labels tell. */
  readonly isUseful: boolean | null;
}

/** Correlation of scores and answers that is assumed before there are labels. */
const assumedCorrelation = 0.5;
/** Below it scores are taken to be of no use. */
const leastCorrelation = 0.2;
/** Fewer labels say nothing about scores. */
export const fewestToLearn = 10;
/** How scores and answers go together in the labels so far. */
export function usefulness(units: readonly PlanUnit[]): Usefulness {
  const known = units.filter(({ answer }) => answer !== null);
  if (known.length < fewestToLearn) return { correlation: assumedCorrelation, isUseful: null };
  const weight = (one: PlanUnit) => one.weight ?? 1;
  const sum = known.reduce((so, one) => so + weight(one), 0);
  const mean = (of: (one: PlanUnit) => number) =>
    known.reduce((so, one) => so + weight(one) * of(one), 0) / sum;
  const [score, answer] = [mean(({ forecast }) => forecast), mean((one) => one.answer ?? 0)];
  const product = (a: (one: PlanUnit) => number, b: (one: PlanUnit) => number) =>
    mean((one) => a(one) * b(one));
  const offScore = (one: PlanUnit) => one.forecast - score;
  const offAnswer = (one: PlanUnit) => (one.answer ?? 0) - answer;
  const scale = Math.sqrt(product(offScore, offScore) * product(offAnswer, offAnswer));
  const correlation = scale > 0 ? product(offScore, offAnswer) / scale : 0;
  const freedom = known.length - 2;
  const t = correlation * Math.sqrt(freedom / Math.max(1e-12, 1 - square(correlation)));
  return {
    correlation,
    isUseful: Math.abs(correlation) >= leastCorrelation && studentTPValue(t, freedom) <= 0.05,
  };
}

/**
 * What to expect of each answer. Before ten labels tell it is assumed: of a judge its own probability; of two models the
 * normal probability of a win at a correlation of 0.5 with the score; of ratings in [0, 1] half-way from the mean score
 * to the score. Then a logistic curve on the scores says it, or the mean of all where these are no use.
 *
 * @returns undefined where labels all agree, or where neither labels nor scores tell the scale of ratings.
 */
export function expectedAnswers(
  units: readonly PlanUnit[],
  { aim, isUseful }: { readonly aim: PlanAim } & Pick<Usefulness, "isUseful">,
): ExpectedAnswer[] | undefined {
  if (isUseful === null) return assumedAnswers(units, aim);
  const answers = units.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  // Labels that all agree tell no spread; a sum over them may be off by a rounding.
  if (answers.every((answer) => answer === answers[0])) return undefined;
  const mean = meanOf(answers);
  const [low, high] = aim === "rate" ? extremesOf(answers) : [0, 1];
  const curve = isUseful
    ? logisticRegression(
        units.map(({ forecast }) => forecast),
        units.map(({ answer }) => (answer === null ? null : (answer - low) / (high - low))),
      )
    : undefined;
  const expected = units.map((_, at) => {
    if (curve === undefined) return { mean, variance: 1 };
    const share = curve[at] ?? 0;
    return { mean: low + (high - low) * share, variance: share * (1 - share) };
  });
  // Where ties or middle ratings are answered, answers vary less than yes or no would.
  let [seen, foreseen] = [0, 0];
  for (const [at, { answer }] of units.entries()) {
    if (answer === null) continue;
    seen += square(answer - (expected[at]?.mean ?? 0));
    foreseen += expected[at]?.variance ?? 0;
  }
  const lost = answers.length / (answers.length - (curve === undefined ? 1 : 2));
  const scale = (lost * seen) / foreseen;
  return expected.map((one) => ({ mean: one.mean, variance: scale * one.variance }));
}

const extremesOf = (values: readonly number[]): [low: number, high: number] => [
  values.reduce((a, b) => Math.min(a, b)),
  values.reduce((a, b) => Math.max(a, b)),
];

function assumedAnswers(units: readonly PlanUnit[], aim: PlanAim): ExpectedAnswer[] | undefined {
  const yesOrNo = (mean: number) => ({ mean, variance: mean * (1 - mean) });
  if (aim === "threshold") return units.map(({ forecast }) => yesOrNo(forecast));
  if (aim === "rate") {
    if (units.some(({ score }) => score < 0 || score > 1)) return undefined;
    const mean = meanOf(units.map(({ score }) => score));
    return units.map(({ score }) => yesOrNo(mean + assumedCorrelation * (score - mean)));
  }
  const size = Math.sqrt(meanOf(units.map(({ score }) => square(score))));
  // A win, being yes or no, correlates less than what is behind it: by 0.8 where both are as likely.
  const behind = assumedCorrelation / 0.8;
  const slope = behind / Math.sqrt(1 - square(behind));
  return units.map(({ score }) => {
    const z = size > 0 ? (slope * score) / size : 0;
    const tail = normalTails(z) / 2;
    return yesOrNo(z > 0 ? 1 - tail : tail);
  });
}

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
