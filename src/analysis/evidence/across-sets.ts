import { largestOf } from "../../core/arrays.js";
import { holm } from "../../stats/adjusted-p-values.js";
import { square } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { criticalT, studentTPValue } from "../../stats/incomplete-beta.js";
import { undefinedEstimate, withInterval } from "../inference/intervals.js";
import type { Measured } from "./clustered-ratio.js";
import type { QuestionKind } from "./evidence-table.js";
import type { MetricFigures, SetFigures } from "./set-figures.js";

/** Below so many sets nothing is averaged. */
export const fewestSets = 3;
/** A set of which a metric left out a larger share is not averaged: what it leaves out is not chosen by chance. */
export const mostUnscored = 0.1;

/** One set's figures, and what tells how they may be combined. */
export interface SetOfFigures extends SetFigures {
  readonly name: string;
  readonly asked: QuestionKind;
  /** A set of the same images: a metric that both have counts once. */
  readonly sameImagesAs?: string | undefined;
}

export interface MetricOnSet {
  readonly set: string;
  readonly figures: MetricFigures;
  /** Why it is not averaged; undefined where it is. */
  readonly leftOut?: string;
}

export interface MetricAcrossSets {
  readonly metric: string;
  /** Sets that are averaged, or would be. */
  readonly sets: number;
  readonly accuracyWithin: Estimate;
  readonly ceilingShare: Estimate;
  /** Where one more set would lie. */
  readonly prediction: { readonly low: number; readonly high: number } | null;
  readonly tau2: number | null;
  /** 1 is the best; metrics of one group are not shown to differ from its first. Null where nothing is averaged. */
  readonly group: number | null;
  /** The test of its difference from the best; missing for the best, and where nothing is averaged. */
  readonly againstBest?: PairTest;
  readonly each: readonly MetricOnSet[];
}

/** The difference of two metrics, tested on the sets that both are averaged on. */
interface PairTest {
  /** How many sets these are. */
  readonly sets: number;
  /** Adjusted by Holm over all pairs; null below `fewestSets` sets. */
  readonly p: number | null;
}

/**
 * Metrics over all sets that asked one question, the best first: random-effects averages of accuracy within
 * prompts and of the share of the ceiling. Groups follow paired differences on the sets that two metrics
 * share, p-values adjusted by Holm over all pairs of metrics: a group ends where a metric is shown to be
 * worse than the group's first.
 */
export function acrossSets(all: readonly SetOfFigures[], asked: QuestionKind): MetricAcrossSets[] {
  const sets = all.filter((one) => one.asked === asked);
  const names = [...new Set(sets.flatMap((one) => figureNames(one)))];
  const found = names.map((metric) => ofMetric(metric, sets));
  found.sort(
    (one, other) =>
      (other.accuracyWithin.value ?? -1) - (one.accuracyWithin.value ?? -1) ||
      other.sets - one.sets ||
      (one.metric < other.metric ? -1 : 1),
  );
  const pooled = found.filter(({ accuracyWithin }) => accuracyWithin.value !== null);
  const test = pairTests(pooled, sets);
  const groups = groupsOf(pooled, test);
  const [best] = pooled;
  return found.map((one) => {
    const againstBest = best && test(best.metric, one.metric);
    return {
      ...one,
      group: groups.get(one.metric) ?? null,
      ...(againstBest && { againstBest }),
    };
  });
}

const figureNames = ({ metrics, judges }: SetFigures) => [
  ...Object.keys(metrics),
  ...Object.keys(judges),
];
const figuresIn = ({ metrics, judges }: SetFigures, metric: string): MetricFigures | undefined =>
  metrics[metric] ?? judges[metric];

function ofMetric(
  metric: string,
  sets: readonly SetOfFigures[],
): Omit<MetricAcrossSets, "group" | "againstBest"> {
  const has = (set: SetOfFigures) => figuresIn(set, metric) !== undefined;
  const each = sets.filter(has).flatMap((set): MetricOnSet[] => {
    const figures = figuresIn(set, metric);
    if (figures === undefined) return [];
    const twin = sets.find((one) => one.name === set.sameImagesAs);
    const leftOut = whyLeftOut(figures, twin !== undefined && has(twin) ? twin.name : undefined);
    return [{ set: set.name, figures, ...(leftOut === undefined ? {} : { leftOut }) }];
  });
  const counted = each.filter(({ leftOut }) => leftOut === undefined);
  const accuracy = pooled(counted.map(({ figures }) => figures.accuracyWithin));
  const share = pooled(counted.map(({ figures }) => figures.ceilingShare));
  return {
    metric,
    sets: counted.length,
    accuracyWithin: estimateOf(accuracy, [0, 1]),
    ceilingShare: estimateOf(share),
    prediction: accuracy && {
      low: Math.max(0, accuracy.prediction.low),
      high: Math.min(1, accuracy.prediction.high),
    },
    tau2: accuracy?.tau2 ?? null,
    each,
  };
}

function whyLeftOut(
  { n, unscored, accuracyWithin }: MetricFigures,
  twin: string | undefined,
): string | undefined {
  if (twin !== undefined) return `the same images as ${twin}`;
  if (unscored > mostUnscored * (n + unscored)) {
    return `${unscored} of ${n + unscored} answers are missing`;
  }
  return accuracyWithin.error === null ? "no standard error" : undefined;
}

function pooled(measured: readonly Measured[]): RandomEffects | null {
  const known = measured.flatMap(({ value, error }) =>
    value === null || error === null ? [] : [{ value, error }],
  );
  if (known.length < fewestSets) return null;
  const effects = known.map(({ value }) => value);
  return (
    randomEffects(
      effects,
      known.map(({ error }) => square(error)),
    ) ?? null
  );
}

function estimateOf(found: RandomEffects | null, within?: readonly [number, number]): Estimate {
  if (found === null) return undefinedEstimate(`no average of fewer than ${fewestSets} sets`);
  return withInterval(found.value, [found.low, found.high], {
    ...(within && { within }),
    whenNone: "no interval",
  });
}

type Pooled = Pick<MetricAcrossSets, "metric" | "each">;

/** Tests every pair of metrics, and returns the test of one and a later one; undefined of others. */
function pairTests(pooled: readonly Pooled[], sets: readonly SetOfFigures[]) {
  const pairs = pooled.flatMap((one, at) =>
    pooled
      .slice(at + 1)
      .map((other) => ({ key: `${one.metric}\n${other.metric}`, ...difference(one, other, sets) })),
  );
  const tested = pairs.filter(({ p }) => p !== undefined);
  const adjusted = holm(tested.map(({ p = 1 }) => p));
  const tests = new Map<string, PairTest>(
    pairs.map((pair) => {
      const p = adjusted[tested.indexOf(pair)] ?? null;
      return [pair.key, { sets: pair.sets, p }];
    }),
  );
  return (one: string, other: string) => tests.get(`${one}\n${other}`);
}

export const isShown = (test: PairTest | undefined): boolean => (test?.p ?? 1) < 0.05;

function groupsOf(
  pooled: readonly Pooled[],
  test: ReturnType<typeof pairTests>,
): Map<string, number> {
  const groups = new Map<string, number>();
  let first = pooled[0]?.metric;
  let group = 1;
  for (const { metric } of pooled) {
    if (isShown(test(first ?? "", metric))) {
      first = metric;
      group += 1;
    }
    groups.set(metric, group);
  }
  return groups;
}

/** The sets that both are averaged on, and p of no difference over these; undefined with too few. */
function difference(
  one: Pooled,
  other: Pooled,
  sets: readonly SetOfFigures[],
): { readonly sets: number; readonly p?: number } {
  const shared = one.each.flatMap((mine) => {
    const others = other.each.find(({ set }) => set === mine.set);
    const set = sets.find(({ name }) => name === mine.set);
    if (!others || !set || mine.leftOut !== undefined || others.leftOut !== undefined) return [];
    const names = figureNames(set);
    const at = [names.indexOf(one.metric), names.indexOf(other.metric)] as const;
    const covariance = (row: 0 | 1, column: 0 | 1) => set.covariance[at[row]]?.[at[column]] ?? 0;
    const [own, theirs] = [mine, others].map(({ figures }) => figures.accuracyWithin.value);
    if (typeof own !== "number" || typeof theirs !== "number") return [];
    return [
      {
        difference: own - theirs,
        variance: covariance(0, 0) + covariance(1, 1) - 2 * covariance(0, 1),
      },
    ];
  });
  const known = shared.filter(({ variance }) => variance > 1e-12);
  const found = randomEffects(
    known.map(({ difference }) => difference),
    known.map(({ variance }) => variance),
  );
  if (known.length < fewestSets || found === undefined) return { sets: shared.length };
  // Of three sets the spread alone may be next to nothing by chance.
  const error = Math.max(found.error, found.samplingError);
  return { sets: shared.length, p: studentTPValue(found.value / error, known.length - 1) };
}

/** How often another metric is first where sets are read by another rule. */
export interface OtherRule {
  readonly rule: string;
  /** Sets on which it says something of two metrics or more. */
  readonly sets: number;
  /** Those of them whose first metric is another than by pairs of one prompt. */
  readonly moved: readonly {
    readonly set: string;
    readonly first: string;
    readonly byThisRule: string;
  }[];
}

const rules: readonly (readonly [rule: string, of: (figures: MetricFigures) => number | null])[] = [
  ["the order of most raters, not of their mean", ({ accuracyMajority }) => accuracyMajority],
  ["people's ties are answers", ({ accuracyTies }) => accuracyTies.value],
  ["pairs of all prompts", ({ accuracyPooled }) => accuracyPooled.value],
  ["Kendall's tau-b over all images", ({ kendallTauB }) => kendallTauB.value],
  ["Spearman's rho over all images", ({ spearman }) => spearman.value],
  ["Pearson's r over all images", ({ pearson }) => pearson.value],
];

/**
 * Which metric is first on each set, by the rule of the table (pairs of one prompt, ties half) and by others. Metrics
 * that left out more than a tenth of a set do not count on it.
 */
export const otherRules = (sets: readonly SetOfFigures[]): OtherRule[] =>
  rules.map(([rule, of]) => {
    const compared = sets.flatMap((set) => {
      const metrics = Object.entries({ ...set.metrics, ...set.judges }).filter(
        ([, { n, unscored, accuracyWithin }]) =>
          accuracyWithin.value !== null && unscored <= mostUnscored * (n + unscored),
      );
      const told = metrics.filter(([, figures]) => of(figures) !== null);
      if (told.length < 2) return [];
      const first = firstBy(told, ({ accuracyWithin }) => accuracyWithin.value);
      return [{ set: set.name, first, byThisRule: firstBy(told, of) }];
    });
    return {
      rule,
      sets: compared.length,
      moved: compared.filter(({ first, byThisRule }) => first !== byThisRule),
    };
  });

function firstBy(
  metrics: readonly (readonly [name: string, figures: MetricFigures])[],
  of: (figures: MetricFigures) => number | null,
): string {
  const [first] = metrics.toSorted(([, one], [, other]) => (of(other) ?? 0) - (of(one) ?? 0));
  return first?.[0] ?? "";
}

/** What several studies give together, with 95 % intervals. */
interface RandomEffects {
  readonly studies: number;
  readonly value: number;
  readonly error: number;
  /** What the error would be were it known how effects vary: 1 / sqrt(sum w). Hartung and Knapp's may be smaller by chance. */
  readonly samplingError: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided, of an average effect of 0. */
  readonly p: number;
  /** Variance of true effects between studies. */
  readonly tau2: number;
  /** Where the effect of one more study would lie. */
  readonly prediction: { readonly low: number; readonly high: number };
}

/**
 * Average effect of studies whose true effects differ: tau-squared by restricted maximum likelihood
 * (Viechtbauer 2005), weights w = 1 / (v + tau-squared), the error of the weighted mean by Hartung and Knapp
 * (2001): sum w (y - mean)^2 / ((k - 1) sum w), with Student's t of k - 1 degrees of freedom. The prediction
 * interval is mean +- t sqrt(tau-squared + error^2). The same as metafor's `rma(method = "REML", test = "knha")`.
 *
 * @param effects one for each study.
 * @param variances of the effects' sampling errors, above 0.
 * @returns undefined with fewer than two studies.
 * @example randomEffects([0.6, 0.7, 0.65], [0.01, 0.01, 0.01])?.value // 0.65
 */
export function randomEffects(
  effects: readonly number[],
  variances: readonly number[],
): RandomEffects | undefined {
  const studies = effects.length;
  if (studies < 2) return undefined;
  const tau2 = restrictedVariance(effects, variances);
  const { mean, total, squares } = weighted(effects, variances, tau2);
  const error = Math.sqrt(squares / ((studies - 1) * total));
  const t = criticalT(0.05, studies - 1);
  const reach = t * Math.sqrt(tau2 + square(error));
  return {
    studies,
    value: mean,
    error,
    samplingError: 1 / Math.sqrt(total),
    low: mean - t * error,
    high: mean + t * error,
    p: error === 0 ? Number(mean === 0) : studentTPValue(mean / error, studies - 1),
    tau2,
    prediction: { low: mean - reach, high: mean + reach },
  };
}

/** The root of the restricted likelihood's derivative by bisection; 0 where it falls from there. */
function restrictedVariance(effects: readonly number[], variances: readonly number[]): number {
  // Positive where the likelihood rises with tau-squared.
  const slope = (tau2: number) => {
    const { mean, total } = weighted(effects, variances, tau2);
    let sum = 0;
    let ofSquares = 0;
    for (const [at, effect] of effects.entries()) {
      const weight = 1 / ((variances[at] ?? 0) + tau2);
      sum += square(weight * (effect - mean)) - weight;
      ofSquares += square(weight);
    }
    return sum + ofSquares / total;
  };
  if (!(slope(0) > 0)) return 0;
  let low = 0;
  let high = largestOf(variances);
  while (slope(high) > 0) high *= 2;
  for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (slope(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

function weighted(effects: readonly number[], variances: readonly number[], tau2: number) {
  const weights = variances.map((variance) => 1 / (variance + tau2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = weights.reduce((sum, weight, at) => sum + weight * (effects[at] ?? 0), 0) / total;
  const squares = weights.reduce(
    (sum, weight, at) => sum + weight * square((effects[at] ?? 0) - mean),
    0,
  );
  return { mean, total, squares };
}
