import { expectedCalibrationError } from "../../stats/calibration-error.js";
import type { Estimate } from "../../stats/estimate.js";
import { brierScore } from "../../stats/losses.js";
import { pairCounter, pairwiseAccuracy } from "../../stats/pair-counts.js";
import { ranked } from "../../stats/ranked.js";
import { reliabilityBins } from "../../stats/reliability-bins.js";
import { agreement } from "../agreement/agreement.js";
import { correlation } from "../correlation/correlation.js";
import { undefinedEstimate } from "../inference/intervals.js";
import { judgeCheck } from "../judge-check/judge-check.js";
import type { JudgeCheck } from "../judge-check/judge-conclusion.js";
import { type ClusteredRatio, clusteredRatio, type Measured } from "./clustered-ratio.js";
import { type EvidenceItem, type EvidenceTable, meanAnswer } from "./evidence-table.js";

/** How one metric agrees with people on one set. */
export interface MetricFigures {
  /** Items that it scored and people rated. */
  readonly n: number;
  readonly unscored: number;
  /** Pairs of one prompt of which people prefer one and it scored both. */
  readonly pairs: number;
  readonly accuracyWithin: Measured;
  /** The same where people's order is that of most raters, not of their mean; null where one alone rated. */
  readonly accuracyMajority: number | null;
  /** With people's ties as answers and its own chosen. */
  readonly accuracyTies: TiesWithin;
  /** Of all pairs of images, of one prompt or two. */
  readonly accuracyPooled: Estimate;
  readonly kendallTauB: Estimate;
  readonly spearman: Estimate;
  readonly pearson: Estimate;
  /** From chance (0) to what one rater reaches (1). */
  readonly ceilingShare: Measured;
  /** Share of pairs of generators whose means it orders as people do. */
  readonly generators: { readonly n: number; readonly accuracy: number | null };
  /** Of its probabilities, where people prefer one. */
  readonly calibration?: { readonly n: number; readonly brier: number; readonly ece: number };
}

/** A judge of pairs: its votes as a metric's scores (a tie is half, what can't be read is left out). */
export interface JudgeFigures extends MetricFigures {
  /** Its votes as `judge check` sees them; not part of shipped figures. */
  readonly check?: JudgeCheck;
}

export interface SetFigures {
  /** Items with an answer of people. */
  readonly n: number;
  readonly clusters: number;
  readonly people: {
    readonly raters: number;
    readonly alpha: Estimate;
    readonly ceiling: Measured;
  };
  readonly metrics: Readonly<Record<string, MetricFigures>>;
  readonly judges: Readonly<Record<string, JudgeFigures>>;
  /** Covariances of `accuracyWithin`, in the order of metrics, then judges. */
  readonly covariance: readonly (readonly number[])[];
}

/**
 * All figures of one set by one rule. Intervals are Student's t over prompts; of alpha, a percentile
 * bootstrap of items.
 */
export function setFigures(table: EvidenceTable): SetFigures {
  const rated = table.items.filter(({ people }) => people.some((answer) => answer !== null));
  const comparisons = comparisonsOf({ ...table, items: rated });
  const byMajority = { ...comparisons, people: comparisons.majority };
  const whole = { ...table, items: rated };
  const pooled = table.isPairs ? undefined : pooledFigures(whole);
  const figuresOf = (name: string, kind: "scores" | "votes") => {
    const scores = comparisons.scores[name] ?? new Float64Array();
    const within = accuracyWithin(comparisons, scores);
    const answered = rated.filter((item) => (item[kind][name] ?? null) !== null);
    const figures: MetricFigures = {
      n: answered.length,
      unscored: rated.length - answered.length,
      pairs: within.pairs,
      accuracyWithin: within.measured,
      accuracyMajority: accuracyWithin(byMajority, scores).measured.value,
      accuracyTies: tiesWithin(comparisons, scores),
      ...(pooled?.(name) ?? ofPairs),
      ceilingShare: againstOthers(comparisons, scores).share.measured,
      generators: generatorOrder(answered, name),
      ...calibrationOf(rated, name),
    };
    return { figures, within };
  };
  const metrics = table.metrics.map((name) => ({ name, ...figuresOf(name, "scores") }));
  const judges = table.judges.map((name) => ({ name, ...figuresOf(name, "votes") }));
  return {
    n: rated.length,
    clusters: comparisons.clusters,
    people: peopleFigures(rated, comparisons),
    metrics: Object.fromEntries(metrics.map(({ name, figures }) => [name, figures])),
    judges: Object.fromEntries(
      judges.map(({ name, figures }) => [name, { ...figures, check: checkOf(rated, name) }]),
    ),
    covariance: covariances([...metrics, ...judges].map(({ within }): ClusteredRatio => within)),
  };
}

const choice = (answer: number | null): "a" | "b" | "tie" | null =>
  answer === null ? null : answer === 0 ? "tie" : answer > 0 ? "a" : "b";

const checkOf = (items: readonly EvidenceItem[], name: string): JudgeCheck =>
  judgeCheck(
    items.map(({ id, prompt, people, votes }) => ({
      id,
      prompt,
      vote: choice(votes[name] ?? null),
      human: choice(meanAnswer(people)),
    })),
    { interval: "t" },
  );

function peopleFigures(rated: readonly EvidenceItem[], comparisons: Comparisons) {
  const raters = rated.reduce((most, { people }) => Math.max(most, people.length), 0);
  const alone = undefinedEstimate("one answer an item");
  if (raters < 2) return { raters, alpha: alone, ceiling: { ...alone, error: null } };
  const rows = rated.flatMap(({ id, people }) =>
    people.map((answer, rater) => ({
      item: id,
      annotator: String(rater),
      value: answer === null ? undefined : String(answer),
    })),
  );
  const { intervalsOf } = agreement(rows, { scale: "ordinal", resamples: 500 });
  return {
    raters,
    alpha: intervalsOf.krippendorffAlpha,
    ceiling: againstOthers(comparisons).ceiling.measured,
  };
}

const noRatings = undefinedEstimate("people compared pairs and rated nothing");
const ofPairs = {
  accuracyPooled: noRatings,
  kendallTauB: noRatings,
  spearman: noRatings,
  pearson: noRatings,
};

/** Coefficients over all rows, which also pay for telling easy prompts from hard ones. */
function pooledFigures({ items, metrics }: EvidenceTable) {
  if (metrics.length === 0) return undefined;
  const rows = items.map(({ id, prompt, people, scores }) => ({
    id,
    prompt,
    human: meanAnswer(people),
    scores: metrics.map((name) => scores[name] ?? null),
  }));
  const found = correlation({ human: "people", metrics, rows }, { interval: "t" }).metrics;
  return (name: string) => {
    const its = found[name];
    return (
      its && {
        accuracyPooled: its.pairwiseAccuracy,
        kendallTauB: its.kendallTauB,
        spearman: its.spearman,
        pearson: its.pearson,
      }
    );
  };
}

/** Generators by the mean of what people and the metric gave their images. */
function generatorOrder(items: readonly EvidenceItem[], name: string) {
  const byName = new Map<string, EvidenceItem[]>();
  for (const item of items) {
    if (item.generator === undefined) continue;
    byName.set(item.generator, [...(byName.get(item.generator) ?? []), item]);
  }
  const each = [...byName.values()];
  const mean = (of: (item: EvidenceItem) => number | null) =>
    Float64Array.from(each, (its) => meanAnswer(its.map(of)));
  const people = mean((item) => meanAnswer(item.people));
  const scores = mean((item) => item.scores[name] ?? null);
  const accuracy = pairwiseAccuracy(pairCounter(ranked(scores), ranked(people))());
  return { n: each.length, accuracy: Number.isNaN(accuracy) ? null : accuracy };
}

function calibrationOf(items: readonly EvidenceItem[], name: string) {
  const claimed = items.flatMap(({ people, probabilities }) => {
    const probability = probabilities[name] ?? null;
    const preferred = meanAnswer(people);
    return probability === null || preferred === 0
      ? []
      : [{ probability, label: Number(preferred > 0) }];
  });
  if (claimed.length === 0) return {};
  const labels = claimed.map(({ label }) => label);
  const probabilities = claimed.map(({ probability }) => probability);
  return {
    calibration: {
      n: claimed.length,
      brier: brierScore(labels, probabilities),
      ece: expectedCalibrationError(reliabilityBins(labels, probabilities)),
    },
  };
}

const noPair = "people prefer neither image of any pair that is scored";

/**
 * Share of pairs of one prompt that a metric puts in people's order, where people have one; a metric's tie
 * is half. Pairs that it did not score are left out.
 *
 * @returns a share with Student's t interval over prompts, and how many pairs it is of.
 */
function accuracyWithin(
  { cluster, clusters, people }: Comparisons,
  scores: Float64Array,
): ClusteredRatio & { readonly pairs: number } {
  const above = new Float64Array(clusters);
  const below = new Float64Array(clusters);
  let pairs = 0;
  for (const [at, score] of scores.entries()) {
    const right = credit(score, people[at] ?? Number.NaN);
    if (Number.isNaN(right)) continue;
    const one = cluster[at] ?? 0;
    above[one] = (above[one] ?? 0) + right;
    below[one] = (below[one] ?? 0) + 1;
    pairs += 1;
  }
  return { ...clusteredRatio({ above, below }, { within: [0, 1], whenEmpty: noPair }), pairs };
}

/**
 * What one rater reaches against the mean of the others, averaged over raters, and how far from chance (0.5)
 * to there a metric comes on the same pairs against the same raters.
 *
 * @param scores of the metric; undefined for the ceiling alone.
 */
function againstOthers(
  { cluster, clusters, raters, others }: Comparisons,
  scores?: Float64Array,
): { readonly ceiling: ClusteredRatio; readonly share: ClusteredRatio } {
  const count = new Float64Array(clusters);
  const byRater = new Float64Array(clusters);
  const byMetric = new Float64Array(clusters);
  for (const [rater, answers] of raters.entries()) {
    for (const [at, answer] of answers.entries()) {
      const other = others[rater]?.[at] ?? Number.NaN;
      const ofRater = credit(answer, other);
      const ofMetric = scores === undefined ? 0.5 : credit(scores[at] ?? Number.NaN, other);
      if (Number.isNaN(ofRater) || Number.isNaN(ofMetric)) continue;
      const one = cluster[at] ?? 0;
      count[one] = (count[one] ?? 0) + 1;
      byRater[one] = (byRater[one] ?? 0) + ofRater;
      byMetric[one] = (byMetric[one] ?? 0) + ofMetric;
    }
  }
  const overChance = (sums: Float64Array) => sums.map((sum, at) => sum - (count[at] ?? 0) / 2);
  const whenEmpty = "fewer than two raters answered the same pairs";
  return {
    ceiling: clusteredRatio({ above: byRater, below: count }, { within: [0, 1], whenEmpty }),
    share: clusteredRatio(
      { above: overChance(byMetric), below: overChance(byRater), takes: count },
      { whenEmpty },
    ),
  };
}

/** Covariances of shares whose pairs lie in the same clusters. */
function covariances(ratios: readonly ClusteredRatio[]): number[][] {
  return ratios.map((one) =>
    ratios.map((other) => {
      const clusters = Math.max(one.clusters, other.clusters);
      if (clusters < 2) return 0;
      let sum = 0;
      for (const [at, moved] of one.influence.entries()) sum += moved * (other.influence[at] ?? 0);
      return (clusters / (clusters - 1)) * sum;
    }),
  );
}

/** Accuracy with ties as answers, and the difference up to which scores tie that maximises it. */
interface TiesWithin {
  readonly value: number | null;
  /** In the metric's own units. */
  readonly epsilon: number | null;
}

/**
 * Share of pairs of one prompt that a metric answers as people do, where a tie is an answer, too: scores no
 * more than epsilon apart tie, with the epsilon that agrees most. Optimistic: epsilon is chosen on these
 * pairs. Deutsch, Foster and Freitag, "Ties Matter" (2023).
 */
function tiesWithin({ people }: Comparisons, scores: Float64Array): TiesWithin {
  const pairs = [...scores.entries()].flatMap(([at, score]) => {
    const human = people[at] ?? Number.NaN;
    return Number.isNaN(score) || Number.isNaN(human)
      ? []
      : [{ apart: Math.abs(score), isRight: Math.sign(human) === Math.sign(score), human }];
  });
  if (pairs.length === 0) return { value: null, epsilon: null };
  pairs.sort((one, other) => one.apart - other.apart);
  // With ties only where scores are equal.
  let right = pairs.filter(({ isRight }) => isRight).length;
  let best = { right, epsilon: 0 };
  for (const [at, { apart, isRight, human }] of pairs.entries()) {
    if (apart > 0) right += Number(human === 0) - Number(isRight);
    const isLast = pairs[at + 1]?.apart !== apart;
    if (isLast && right > best.right) best = { right, epsilon: apart };
  }
  return { value: best.right / pairs.length, epsilon: best.epsilon };
}

/** One question which of two images of a prompt is better, and every answer to it: above 0 is the first. */
interface Comparisons {
  /** The prompt of each comparison: what intervals resample. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  /** The difference of people's mean answers; 0 is a tie, NaN is no answer. */
  readonly people: Float64Array;
  /** Which image more raters prefer, each by themselves: 1, -1, or 0; NaN where one alone rated. */
  readonly majority: Float64Array;
  /** Each rater's own answer. */
  readonly raters: readonly Float64Array[];
  /** The mean answer of all raters but this one. */
  readonly others: readonly Float64Array[];
  readonly scores: Readonly<Record<string, Float64Array>>;
}

/** Means of ratings that are nearer than this are equal: they differ by rounding. */
const rounding = 1e-9;

/**
 * All pairs of images of one prompt, or the pairs that people were shown.
 *
 * @returns comparisons in the order of the items.
 */
export function comparisonsOf(table: EvidenceTable): Comparisons {
  const { items, isPairs, metrics, judges } = table;
  const prompts = new Map<string, number[]>();
  for (const [at, { prompt }] of items.entries()) {
    const others = prompts.get(prompt);
    if (others) others.push(at);
    else prompts.set(prompt, [at]);
  }
  const pairs: { readonly one: number; readonly other?: number; readonly cluster: number }[] = [];
  for (const [cluster, places] of [...prompts.values()].entries()) {
    for (const [at, one] of places.entries()) {
      if (isPairs) pairs.push({ one, cluster });
      else for (const other of places.slice(at + 1)) pairs.push({ one, other, cluster });
    }
  }
  const differences = (of: (item: EvidenceItem) => number | null | undefined) =>
    Float64Array.from(pairs, ({ one, other }) => {
      const first = answerOf(items[one], of);
      const difference = other === undefined ? first : first - answerOf(items[other], of);
      return Math.abs(difference) < rounding ? 0 : difference;
    });
  const raters = items.reduce((most, { people }) => Math.max(most, people.length), 0);
  const isAlone = raters < 2;
  const each = isAlone ? [] : [...Array(raters).keys()];
  const own = each.map((rater) => differences(({ people }) => people[rater]));
  return {
    cluster: Int32Array.from(pairs, ({ cluster }) => cluster),
    clusters: prompts.size,
    people: differences(({ people }) => meanAnswer(people)),
    majority: Float64Array.from(pairs, (_, at) => {
      const signs = own.map((answers) => Math.sign(answers[at] ?? Number.NaN));
      const given = signs.filter((sign) => !Number.isNaN(sign));
      return given.length < 2 ? Number.NaN : Math.sign(given.reduce((sum, sign) => sum + sign, 0));
    }),
    raters: own,
    others: each.map((rater) =>
      differences(({ people }) => meanAnswer(people.filter((_, at) => at !== rater))),
    ),
    scores: Object.fromEntries([
      ...metrics.map((name) => [name, differences(({ scores }) => scores[name])]),
      ...judges.map((name) => [name, differences(({ votes }) => votes[name])]),
    ]),
  };
}

const answerOf = (
  item: EvidenceItem | undefined,
  of: (item: EvidenceItem) => number | null | undefined,
): number => (item && of(item)) ?? Number.NaN;

/**
 * Credit for an answer where people prefer one of the two: 1 for the same, 0 for the other, half for a tie;
 * NaN where people tie or either is missing.
 */
export function credit(answer: number, people: number): number {
  if (!(Math.abs(people) > 0) || Number.isNaN(answer)) return Number.NaN;
  if (answer === 0) return 0.5;
  return answer > 0 === people > 0 ? 1 : 0;
}
