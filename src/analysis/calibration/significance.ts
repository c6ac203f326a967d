import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import { contributedScore, pairedPermutation } from "../../stats/paired-permutation.js";
import { type Adjustment, adjusted } from "../comparison/comparison-test.js";
import { numbered } from "../pairs/pair-sums.js";
import { contributionsOf, isHigherBetter, type JudgeMetric } from "./prediction-score.js";

/** One method's prediction of one label. */
export interface PredictionRow {
  readonly id: string;
  readonly method: string;
  readonly label: 0 | 1 | null;
  /** P(label is 1); null where the method gave no answer. */
  readonly probability: number | null;
  /** Which repetition it belongs to, for `unit: "run"`. */
  readonly run?: string | undefined;
}

export interface SignificanceTest {
  readonly metric: JudgeMetric;
  readonly method: string;
  /** The best by this metric on the rows that all methods answered. */
  readonly against: string;
  /** Rows that both answered. */
  readonly n: number;
  /** The metric's value of `method` on them, and of `against`. */
  readonly value: number;
  readonly againstValue: number;
  /** value - againstValue. */
  readonly difference: number;
  readonly p: number;
  /** Over the tests of this metric; p itself where nothing is adjusted. */
  readonly pAdjusted: number;
}

export const swapUnits = ["item", "run"] as const;
export type SwapUnit = (typeof swapUnits)[number];

export interface SignificanceConclusion {
  readonly tests: readonly SignificanceTest[];
  /** Each method by each metric on its own rows, with bounds for what it left unanswered. */
  readonly scores: readonly MethodScore[];
  readonly adjust: Adjustment;
  readonly unit: SwapUnit;
  readonly permutations: number;
  readonly seed: number;
  readonly methods: readonly string[];
  /** Rows with a label and an answer, over all methods. */
  readonly n: number;
  readonly unscored: number;
  readonly warnings: readonly string[];
}

export interface SignificanceOptions {
  readonly metrics: readonly JudgeMetric[];
  /** The unit that is swapped as a whole; default: an item. */
  readonly unit?: SwapUnit;
  /** Adjustment of p-values over the tests of a metric; default: Benjamini and Yekutieli. */
  readonly adjust?: Adjustment;
  /** Default 10,000. */
  readonly permutations?: number;
  /** Default 0. */
  readonly seed?: number;
}

/**
 * Whether other methods are really worse than the best: for each metric every method is compared
 * with the best by `pairedPermutation`, on the rows that both answered; two methods' predictions of
 * one unit (an item's id, or a whole run) are swapped together. An unscored row is in no test; beside
 * them stands each method's score with bounds, had all its unscored rows been right or wrong. The
 * order of rows changes nothing.
 *
 * @throws InputError where an id has two labels, or there are fewer than two methods.
 */
export function significance(
  rows: readonly PredictionRow[],
  { metrics, unit = "item", adjust = "by", permutations = 10_000, seed = 0 }: SignificanceOptions,
): SignificanceConclusion {
  checkLabels(rows);
  const methods = [...new Set(rows.map(({ method }) => method))];
  if (methods.length < 2) {
    throw new InputError(`Expected two methods or more but received only ${methods[0] ?? "none"}`, {
      hint: "A method's rows have its name in the column method",
    });
  }
  const answers = new Map(methods.map((method) => [method, answersOf(rows, method)]));
  const sharedBy = (some: readonly string[]) =>
    [...(answers.get(some[0] ?? "")?.keys() ?? [])]
      .filter((key) => some.every((method) => answers.get(method)?.has(key)))
      .sort();
  const predictions = (method: string, keys: readonly string[]) =>
    keys.flatMap((key) => answers.get(method)?.get(key) ?? []);

  const common = sharedBy(methods);
  const tests = metrics.flatMap((metric) => {
    if (common.length === 0) return [];
    const scores = methods
      .map((method) => ({
        method,
        score: contributedScore(contributionsOf(metric, predictions(method, common))),
      }))
      .sort(
        (a, b) =>
          (isHigherBetter(metric) ? b.score - a.score : a.score - b.score) ||
          (a.method < b.method ? -1 : 1),
      );
    const against = scores[0]?.method ?? "";
    const found = methods
      .filter((method) => method !== against)
      .map((method) => {
        const keys = sharedBy([method, against]);
        const its = predictions(method, keys);
        const one = contributionsOf(metric, its);
        const other = contributionsOf(metric, predictions(against, keys));
        const unitOf = (row: Prediction) => (unit === "run" ? (row.run ?? "") : row.id);
        const { names, numberOf } = numbered(its.map(unitOf));
        const { difference, p } = pairedPermutation({
          one,
          other,
          permutations,
          unit: Int32Array.from(its, (row) => numberOf(unitOf(row))),
          units: names.length,
          random: randomFrom(seed, "paired permutation", metric, method, against),
        });
        const value = contributedScore(one);
        const againstValue = contributedScore(other);
        return { metric, method, against, n: keys.length, value, againstValue, difference, p };
      });
    const p = adjusted(
      found.map((test) => test.p),
      adjust,
    );
    return found.map((test, index) => ({ ...test, pAdjusted: p[index] ?? 1 }));
  });
  const n = [...answers.values()].reduce((sum, each) => sum + each.size, 0);
  const scores = metrics.flatMap((metric) =>
    methods.map((method) => {
      const its = [...(answers.get(method)?.values() ?? [])];
      const isUnanswered = (row: PredictionRow) => row.label !== null && row.probability === null;
      const unscored = rows.filter((row) => row.method === method && isUnanswered(row)).length;
      return methodScore(metric, { method, answers: its, unscored });
    }),
  );
  return {
    tests,
    scores,
    adjust,
    unit,
    permutations,
    seed,
    methods,
    n,
    unscored: rows.length - n,
    warnings: warningsOf(rows, { methods, answers, common: common.length }),
  };
}

interface Prediction {
  readonly id: string;
  readonly run?: string | undefined;
  readonly label: 0 | 1;
  readonly probability: number;
}

/** A method's answers by what they answer. */
function answersOf(rows: readonly PredictionRow[], of: string): Map<string, Prediction> {
  return new Map(
    rows.flatMap(({ id, run, method, label, probability }) =>
      method !== of || label === null || probability === null
        ? []
        : [[JSON.stringify([run ?? null, id]), { id, run, label, probability }]],
    ),
  );
}

function checkLabels(rows: readonly PredictionRow[]): void {
  const labels = new Map<string, 0 | 1>();
  for (const { id, label } of rows) {
    if (label === null) continue;
    const earlier = labels.get(id);
    if (earlier !== undefined && earlier !== label) {
      throw new InputError(`Expected one label for id "${id}" but received both 0 and 1`);
    }
    labels.set(id, label);
  }
}

function warningsOf(
  rows: readonly PredictionRow[],
  {
    methods,
    answers,
    common,
  }: {
    readonly methods: readonly string[];
    readonly answers: ReadonlyMap<string, ReadonlyMap<string, Prediction>>;
    readonly common: number;
  },
): string[] {
  const all = new Set([...answers.values()].flatMap((each) => [...each.keys()])).size;
  return [
    ...methods.flatMap((method) => {
      const its = rows.filter((row) => row.method === method).length;
      const missing = its - (answers.get(method)?.size ?? 0);
      return missing === 0
        ? []
        : [
            `${method}: ${missing} of ${its} rows ${missing === 1 ? "is" : "are"} unscored and in no test`,
          ];
    }),
    ...methods.flatMap((method) => {
      const its = [...(answers.get(method)?.values() ?? [])];
      const ties = its.filter(({ probability }) => probability === 0.5).length;
      return ties === 0
        ? []
        : [
            `${method}: ${ties} of ${its.length} answers ${ties === 1 ? "has" : "have"} a probability ` +
              "of 0.5, which predicts a 1",
          ];
    }),
    ...(common === all
      ? []
      : [
          `${common} of ${all} rows are answered by every method; the best is the best on these, and ` +
            "each test is over the rows that its two methods answered",
        ]),
  ];
}

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
