import { square } from "../../stats/elementary/powers.js";
import { normalTails } from "../../stats/normal.js";
import { studentTPValue } from "../../stats/student-t.js";
import { meanOf } from "../comparison/comparison-samples.js";
import type { PlanAim, PlanStratum, PlanUnit } from "./plan-units.js";

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
const assumedCorrelation = 0.4;
/** Below it scores are taken to be of no use. */
const leastCorrelation = 0.2;
/** Fewer labels say nothing about scores. */
export const fewestToLearn = 10;
/** So many labels weigh as much as what is expected of a stratum without them. */
const priorLabels = 4;

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
 * What to expect of each answer. Of a judge that is its own probability; of two models the normal probability of a win
 * at the correlation with the score, assumed or learnt; of ratings in [0, 1] half-way from the mean score to the score.
 * Labels then replace it, stratum by stratum, four of them weighing as much as the expectation.
 *
 * @returns undefined where neither labels nor scores tell the scale of ratings.
 */
export function expectedAnswers(
  units: readonly PlanUnit[],
  strata: readonly PlanStratum[],
  { aim, correlation }: { readonly aim: PlanAim; readonly correlation: number },
): ExpectedAnswer[] | undefined {
  const known = units.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const isLearning = known.length >= fewestToLearn;
  const before = isLearning && aim === "rate" ? undefined : assumedAnswers(units, aim, correlation);
  if (!isLearning) return before;
  const overall = meanOf(known);
  const learnt = strata.map(({ places }) => {
    const answers = answersAt(units, places);
    const assumed = before && places.flatMap((at) => before[at] ?? []);
    const sum = answers.reduce((a, b) => a + b, 0);
    const prior = assumed === undefined ? overall : meanOf(assumed.map((one) => one.mean));
    const mean = (sum + priorLabels * prior) / (answers.length + priorLabels);
    return {
      places,
      mean,
      count: answers.length,
      squares: answers.reduce((so, answer) => so + square(answer - mean), 0),
      variance: assumed && meanOf(assumed.map((one) => one.variance)),
    };
  });
  // Each stratum's own mean takes a label's worth of its spread away.
  const used = learnt.filter(({ count }) => count > 0).length;
  const lost = known.length / Math.max(1, known.length - used);
  const pooled = (lost * learnt.reduce((so, { squares }) => so + squares, 0)) / known.length;
  const assumed =
    learnt.reduce((so, { places, variance = 1 }) => so + places.length * variance, 0) /
    units.length;
  const expected: ExpectedAnswer[] = units.map(() => ({ mean: overall, variance: pooled }));
  for (const { places, mean, count, squares, variance = 1 } of learnt) {
    const prior = Math.max(1e-9, (pooled * variance) / assumed);
    const all = { mean, variance: (priorLabels * prior + lost * squares) / (priorLabels + count) };
    for (const at of places) expected[at] = all;
  }
  return expected;
}

const answersAt = (units: readonly PlanUnit[], places: readonly number[]) =>
  places.flatMap((at) => {
    const answer = units[at]?.answer ?? null;
    return answer === null ? [] : [answer];
  });

function assumedAnswers(
  units: readonly PlanUnit[],
  aim: PlanAim,
  correlation: number,
): ExpectedAnswer[] | undefined {
  const yesOrNo = (mean: number) => ({ mean, variance: mean * (1 - mean) });
  if (aim === "threshold") return units.map(({ forecast }) => yesOrNo(forecast));
  if (aim === "rate") {
    if (units.some(({ score }) => score < 0 || score > 1)) return undefined;
    const mean = meanOf(units.map(({ score }) => score));
    return units.map(({ score }) => yesOrNo(mean + assumedCorrelation * (score - mean)));
  }
  const size = Math.sqrt(meanOf(units.map(({ score }) => square(score))));
  // A win, being yes or no, correlates less than what is behind it: by 0.8 where both are as likely. Above 0.7 strata
  // would be starved of labels by what is expected alone.
  const behind = Math.min(0.7, Math.max(-0.7, correlation / 0.8));
  const slope = behind / Math.sqrt(1 - square(behind));
  return units.map(({ score }) => {
    const z = size > 0 ? (slope * score) / size : 0;
    const tail = normalTails(z) / 2;
    return yesOrNo(z > 0 ? 1 - tail : tail);
  });
}
