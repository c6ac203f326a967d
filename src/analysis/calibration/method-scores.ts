import { contributedScore } from "../../stats/paired-permutation.js";
import { contributionsOf, type JudgeMetric } from "./prediction-score.js";

/** A method by one metric over all rows that it answered. */
export interface MethodScore {
  readonly metric: JudgeMetric;
  readonly method: string;
  /** Rows with a label and an answer. */
  readonly n: number;
  /** Rows with a label but no answer; nobody could be wrong where no label is. */
  readonly unscored: number;
  /** Null where no row is answered. */
  readonly value: number | null;
  /**
   * The value over all rows, had every unscored one been answered wrongly and surely, or rightly and
   * surely: from the lower to the higher. A sure mistake costs 34.5 in negative log-likelihood.
   */
  readonly bounds: { readonly low: number | null; readonly high: number | null };
}

type Answer = { readonly label: 0 | 1; readonly probability: number };

/**
 * @param answers of the rows that the method answered.
 * @param unscored how many more rows it has.
 */
export function methodScore(
  metric: JudgeMetric,
  {
    method,
    answers,
    unscored,
  }: {
    readonly method: string;
    readonly answers: readonly Answer[];
    readonly unscored: number;
  },
): MethodScore {
  const valueWith = (more: readonly Answer[]) => {
    const all = [...answers, ...more];
    return all.length === 0 ? null : contributedScore(contributionsOf(metric, all));
  };
  const sure = (probability: number): Answer[] =>
    Array.from({ length: unscored }, () => ({ label: 1, probability }));
  const ends = [valueWith(sure(0)), valueWith(sure(1))].sort((a, b) => (a ?? 0) - (b ?? 0));
  const [low = null, high = null] = ends;
  return {
    metric,
    method,
    n: answers.length,
    unscored,
    value: valueWith([]),
    bounds: { low, high },
  };
}
