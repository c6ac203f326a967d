import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import {
  coded,
  codesTogether,
  codesWithNone,
  inOrderOfRows,
  picked,
  rowsByCode,
} from "../../core/row-codes.js";
import { nameCount, type TextColumn, textAt, textColumn } from "../../core/text-column.js";
import {
  contributedScore,
  pairedPermutation,
  pickedContributions,
} from "../../stats/paired-permutation.js";
import { type Adjustment, adjusted } from "../comparison/comparison-test.js";
import {
  contributionsOf,
  isHigherBetter,
  type JudgeMetric,
  type Predictions,
} from "./prediction-score.js";

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

/** Predictions by column; NaN where there is no label, or no answer. */
export interface PredictionTable
  extends Readonly<Record<"id" | "method" | "run", TextColumn>>,
    Predictions {}

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
export const significance = (
  rows: readonly PredictionRow[],
  options: SignificanceOptions,
): SignificanceConclusion =>
  significanceOf(
    {
      id: textColumn(rows.map(({ id }) => id)),
      method: textColumn(rows.map(({ method }) => method)),
      run: textColumn(rows.map(({ run }) => run)),
      label: Float64Array.from(rows, ({ label }) => label ?? Number.NaN),
      probability: Float64Array.from(rows, ({ probability }) => probability ?? Number.NaN),
    },
    options,
  );

/** The same of rows by column. */
export function significanceOf(
  table: PredictionTable,
  { metrics, unit = "item", adjust = "by", permutations = 10_000, seed = 0 }: SignificanceOptions,
): SignificanceConclusion {
  checkLabels(table);
  const methods = table.method.names;
  if (methods.length < 2) {
    throw new InputError(`Expected two methods or more but received only ${methods[0] ?? "none"}`, {
      hint: "A method's rows have its name in the column method",
    });
  }
  const answers = answersOf(table);
  const ofUnit = unit === "run" ? codesWithNone(table.run) : coded(table.id);
  const common = sharedBy(answers);
  const tests = metrics.flatMap((metric) => {
    if (common.length === 0) return [];
    const all = contributionsOf(metric, table);
    const contributions = ({ rowOf }: MethodAnswers, items: Int32Array) =>
      pickedContributions(all, picked(rowOf, items));
    const [best] = answers
      .map((its) => ({
        its,
        score: contributedScore(contributions(its, common)),
      }))
      .sort(
        (a, b) =>
          (isHigherBetter(metric) ? b.score - a.score : a.score - b.score) ||
          (a.its.method < b.its.method ? -1 : 1),
      );
    if (best === undefined) return [];
    const against = best.its.method;
    const found = answers
      .filter((its) => its !== best.its)
      .map((its) => {
        const { method } = its;
        const items = sharedBy([its, best.its]);
        const one = contributions(its, items);
        const other = contributions(best.its, items);
        const units = inOrderOfRows({
          ...ofUnit,
          codes: picked(ofUnit.codes, picked(its.rowOf, items)),
        });
        const { difference, p } = pairedPermutation({
          one,
          other,
          permutations,
          unit: units.codes,
          units: units.count,
          random: randomFrom(seed, "paired permutation", metric, method, against),
        });
        const value = contributedScore(one);
        const againstValue = contributedScore(other);
        return { metric, method, against, n: items.length, value, againstValue, difference, p };
      });
    const p = adjusted(
      found.map((test) => test.p),
      adjust,
    );
    return found.map((test, index) => ({ ...test, pAdjusted: p[index] ?? 1 }));
  });
  const n = answers.reduce((sum, { answered }) => sum + answered.length, 0);
  const { label, probability } = table;
  const scores = metrics.flatMap((metric) =>
    answers.map(({ method, rows, answered }) =>
      methodScore(metric, {
        method,
        answers: { label: picked(label, answered), probability: picked(probability, answered) },
        unscored: rows.filter((row) => !Number.isNaN(label[row]) && Number.isNaN(probability[row]))
          .length,
      }),
    ),
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
    unscored: label.length - n,
    warnings: warningsOf(table, { answers, common: common.length }),
  };
}

/** What a method answered. */
interface MethodAnswers {
  readonly method: string;
  readonly rows: Int32Array;
  /** The rows with a label and an answer. */
  readonly answered: Int32Array;
  /** The row that answers each item (of its run), items in the order of their names; -1 for none. */
  readonly rowOf: Int32Array;
}

function answersOf({ id, run, method, label, probability }: PredictionTable): MethodAnswers[] {
  const { codes, count } = codesTogether(codesWithNone(run), coded(id));
  const names = new Array<string>(count);
  for (let row = 0; row < codes.length; row++) {
    names[codes[row] ?? 0] ??= JSON.stringify([textAt(run, row) ?? null, textAt(id, row)]);
  }
  const place = new Int32Array(count);
  const order = Int32Array.from({ length: count }, (_, code) => code);
  order.sort((a, b) => ((names[a] ?? "") < (names[b] ?? "") ? -1 : 1));
  for (const [at, code] of order.entries()) place[code] = at;
  const { start, rows } = rowsByCode(coded(method));
  return method.names.map((name, at) => {
    const its = rows.subarray(start[at], start[at + 1]);
    const rowOf = new Int32Array(count).fill(-1);
    for (const row of its) {
      if (!Number.isNaN(label[row]) && !Number.isNaN(probability[row])) {
        rowOf[place[codes[row] ?? 0] ?? 0] = row;
      }
    }
    const isLast = (row: number) => rowOf[place[codes[row] ?? 0] ?? 0] === row;
    return { method: name, rows: its, answered: its.filter(isLast), rowOf };
  });
}

/** The items that all of some methods answered. */
function sharedBy(some: readonly MethodAnswers[]): Int32Array {
  const items = Int32Array.from({ length: some[0]?.rowOf.length ?? 0 }, (_, item) => item);
  return items.filter((item) => some.every(({ rowOf }) => (rowOf[item] ?? -1) >= 0));
}

function checkLabels({ id, label }: PredictionTable): void {
  const labels = new Float64Array(nameCount(id)).fill(Number.NaN);
  for (let row = 0; row < label.length; row++) {
    const own = label[row] ?? Number.NaN;
    if (Number.isNaN(own)) continue;
    const code = id.codes[row] ?? 0;
    const earlier = labels[code] ?? Number.NaN;
    if (!Number.isNaN(earlier) && earlier !== own) {
      throw new InputError(
        `Expected one label for id "${id.names[code]}" but received both 0 and 1`,
      );
    }
    labels[code] = own;
  }
}

function warningsOf(
  { probability }: Predictions,
  { answers, common }: { readonly answers: readonly MethodAnswers[]; readonly common: number },
): string[] {
  const isAnswered = new Uint8Array(answers[0]?.rowOf.length ?? 0);
  for (const { rowOf } of answers) {
    for (let item = 0; item < rowOf.length; item++) {
      if ((rowOf[item] ?? -1) >= 0) isAnswered[item] = 1;
    }
  }
  const all = isAnswered.reduce((sum, one) => sum + one, 0);
  return [
    ...answers.flatMap(({ method, rows, answered }) => {
      const missing = rows.length - answered.length;
      return missing === 0
        ? []
        : [
            `${method}: ${missing} of ${rows.length} rows ${missing === 1 ? "is" : "are"} unscored and excluded`,
          ];
    }),
    ...answers.flatMap(({ method, answered }) => {
      const ties = answered.filter((row) => probability[row] === 0.5).length;
      return ties === 0
        ? []
        : [
            `${method}: ${ties} of ${answered.length} answers ${ties === 1 ? "has" : "have"} a probability ` +
              "of 0.5, which predicts a 1",
          ];
    }),
    ...(common === all
      ? []
      : [
          `every method answered ${common} of ${all} rows; the best is chosen on these, and each test takes the rows ` +
            "that both its methods answered",
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
    readonly answers: Predictions;
    readonly unscored: number;
  },
): MethodScore {
  const { label, probability } = answers;
  const n = label.length;
  const valueWith = (more: number, sure: number) => {
    if (n + more === 0) return null;
    const all = {
      label: new Float64Array(n + more).fill(1),
      probability: new Float64Array(n + more).fill(sure),
    };
    all.label.set(label);
    all.probability.set(probability);
    return contributedScore(contributionsOf(metric, all));
  };
  const value = valueWith(0, 0);
  const [low = value, high = value] = (unscored === 0 ? [] : [0, 1])
    .map((sure) => valueWith(unscored, sure))
    .sort((a, b) => (a ?? 0) - (b ?? 0));
  return {
    metric,
    method,
    n,
    unscored,
    value,
    bounds: { low, high },
  };
}
