import { once } from "../../core/cache.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type Estimand,
  estimate,
  type IntervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { type PairSums, sumColumn } from "./pair-sums.js";

/** Figures of one metric over some pairs of images. */
export interface PairSummary {
  /** Rows with both scores. */
  readonly n: number;
  readonly unscored: number;
  /** Rows of which the scores tie; each is a failure, too. */
  readonly ties: number;
  /** Share of rows with adversarial at least as good as correct. */
  readonly failureRate: Estimate;
  /** Share of rows with adversarial better than correct. */
  readonly strictFailureRate: Estimate;
  readonly meanCorrect: Estimate;
  readonly meanAdversarial: Estimate;
  /** Mean of correct minus adversarial, whatever the direction. */
  readonly difference: Estimate;
  /** Mean margin of correct over adversarial, over the rows that do not fail. */
  readonly correctMargin: Estimate;
  /** Mean margin of adversarial over correct, over the rows that fail; a tie counts as 0. */
  readonly incorrectMargin: Estimate;
  /** The failure rate had all unscored rows passed (low) or failed (high), weighted as it is; null without rows. */
  readonly bounds: { readonly low: number | null; readonly high: number | null };
}

/** Parts whose statistics are averaged with equal weight; the groups of one part are pooled. */
export type Scope = readonly { readonly name: string; readonly groups: readonly number[] }[];

/**
 * A summary for each scope and an estimate for each of `others`, all from the same resamples. Of scopes that are not
 * whole the failure rate is estimated, and the rest where somebody reads it, from the same draws.
 */
export function pairSummaries(
  table: PairSums,
  {
    scopes,
    others = [],
    method,
    isWhole = () => true,
  }: {
    readonly scopes: readonly Scope[];
    readonly others?: readonly Estimand[];
    readonly method: IntervalMethod;
    readonly isWhole?: (scope: number) => boolean;
  },
): { readonly summaries: PairSummary[]; readonly others: Estimate[] } {
  const wanted = scopes.map((_, index) => (isWhole(index) ? ratios : [failureRatio]));
  const estimands = scopes.flatMap((scope, index) =>
    (wanted[index] ?? []).map(({ within, ...ratio }) => ({
      ...(within ? { within } : {}),
      terms: ratioTerms(table, scope, ratio),
    })),
  );
  const estimates = estimate(table.sums, [...estimands, ...others], method);
  const whole = once(() => pairSummaries(table, { scopes, method }).summaries);
  let next = 0;
  const summaries = scopes.map((scope, index) => {
    const from = next;
    next += wanted[index]?.length ?? 0;
    const summary = summaryOf(table, scope, estimates.slice(from, next));
    for (const name of isWhole(index) ? [] : readLater) {
      Object.defineProperty(summary, name, { get: () => whole()[index]?.[name], enumerable: true });
    }
    return summary;
  });
  return { summaries, others: estimates.slice(estimands.length) };
}

const readLater = [
  ...(["strictFailureRate", "meanCorrect", "meanAdversarial", "difference"] as const),
  ...(["correctMargin", "incorrectMargin"] as const),
];

/** The terms of a failure rate, for estimands made of several. */
export function failureRateTerms(
  table: PairSums,
  scope: Scope,
  { rowsAre }: { readonly rowsAre: string },
): Estimand["terms"] {
  return ratioTerms(table, scope, failureRatio, rowsAre);
}

interface Ratio {
  readonly numerator: number;
  readonly denominator: number;
  readonly whenEmpty: string;
  readonly within?: Estimand["within"];
}

const { n, failures, strictFailures, passes, ...score } = sumColumn;
const share = [0, 1] as const;
const failureRatio: Ratio = {
  numerator: failures,
  denominator: n,
  whenEmpty: "",
  within: share,
};

/** Each statistic as one sum over another, in the order in which `summaryOf` takes them. */
const ratios: readonly Ratio[] = [
  failureRatio,
  { numerator: strictFailures, denominator: n, whenEmpty: "", within: share },
  { numerator: score.correct, denominator: n, whenEmpty: "" },
  { numerator: score.adversarial, denominator: n, whenEmpty: "" },
  { numerator: score.difference, denominator: n, whenEmpty: "" },
  { numerator: score.correctMargin, denominator: passes, whenEmpty: "every row fails" },
  { numerator: score.incorrectMargin, denominator: failures, whenEmpty: "no failures" },
];

function ratioTerms(
  { counts }: PairSums,
  scope: Scope,
  { numerator, denominator, whenEmpty }: Ratio,
  rowsAre = "rows",
): Estimand["terms"] {
  return scope.map(({ name, groups }) => {
    const why = countOf(counts, groups, "n") === 0 ? `no scored ${rowsAre}` : whenEmpty;
    return {
      weight: 1 / scope.length,
      groups,
      numerator,
      denominator,
      whenEmpty: scope.length > 1 ? `${why} in ${name}` : why,
    };
  });
}

const countOf = <Name extends string>(
  counts: readonly Readonly<Record<Name, number>>[],
  groups: readonly number[],
  of: Name,
) => groups.reduce((sum, group) => sum + (counts[group]?.[of] ?? 0), 0);

function summaryOf(table: PairSums, scope: Scope, estimates: readonly Estimate[]): PairSummary {
  const { counts, stoodFor, isScalable } = table;
  const all = scope.flatMap(({ groups }) => groups);
  const rates = scope.map(({ groups }) => {
    const failed = countOf(stoodFor, groups, "failures");
    const unscored = countOf(stoodFor, groups, "unscored");
    const rows = countOf(stoodFor, groups, "rows");
    return { low: failed / rows, high: (failed + unscored) / rows };
  });
  const bound = (end: "low" | "high") => {
    const average = rates.reduce((sum, rate) => sum + rate[end], 0) / rates.length;
    return Number.isNaN(average) ? null : average;
  };
  const at = (index: number) => estimates[index] ?? undefinedEstimate("not estimated");
  const ofRows = (index: number) =>
    withOneSidedBound(at(index), ratioTerms(table, scope, failureRatio), table.sums);
  const ofScores = (index: number) =>
    isScalable ? at(index) : undefinedEstimate("every score is the same, so none can be scaled");
  return {
    n: countOf(counts, all, "n"),
    unscored: countOf(counts, all, "unscored"),
    ties: countOf(counts, all, "ties"),
    failureRate: ofRows(0),
    strictFailureRate: ofRows(1),
    meanCorrect: ofScores(2),
    meanAdversarial: ofScores(3),
    difference: ofScores(4),
    correctMargin: ofScores(5),
    incorrectMargin: ofScores(6),
    bounds: { low: bound("low"), high: bound("high") },
  };
}
