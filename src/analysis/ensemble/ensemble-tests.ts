import { randomFrom } from "../../core/random.js";
import { picked, pickedTexts } from "../../core/row-codes.js";
import {
  type Contributions,
  contributedScore,
  pairedPermutation,
} from "../../stats/paired-permutation.js";
import {
  contributionsOf,
  isHigherBetter,
  type JudgeMetric,
  judgeMetrics,
} from "../calibration/prediction-score.js";
import { adjusted } from "../comparison/comparison-test.js";
import type { EnsembleMethod } from "./ensemble-methods.js";
import type { EnsemblePart } from "./ensemble-rows.js";

/** The test of a method against the best. */
export interface EnsembleTest {
  readonly metric: JudgeMetric;
  readonly method: EnsembleMethod;
  /** The best by this metric on the rows that all methods answered. */
  readonly against: EnsembleMethod;
  /** Test rows that both answered. */
  readonly n: number;
  readonly value: number;
  readonly againstValue: number;
  /** value - againstValue. */
  readonly difference: number;
  readonly p: number;
  /** Adjusted p-value (Benjamini and Yekutieli) over the tests of this metric. */
  readonly pAdjusted: number;
}

/** A method's name and its columns of predictions. */
type Predicted = readonly [EnsembleMethod, readonly Float64Array[]];

/**
 * Every method against the best by each metric, by paired permutation tests on the rows that both
 * answered; what they say of a unit is swapped together. The best is the best on the rows that all
 * answered. One prompt at random stands for all its columns: its score is their mean, and a swap
 * exchanges each of them with the other's. It is left out where no row has all their answers.
 */
export function ensembleTests(
  { labels, units }: Pick<EnsemblePart, "labels" | "units">,
  methods: readonly Predicted[],
  { permutations, seed }: { readonly permutations: number; readonly seed: number },
): EnsembleTest[] {
  const all = Int32Array.from(labels.keys());
  const sharedBy = (some: readonly Predicted[]) =>
    all.filter((row) =>
      some.every(([, columns]) => columns.every((column) => !Number.isNaN(column[row]))),
    );
  const compared =
    sharedBy(methods).length > 0 ? methods : methods.filter(([, { length }]) => length === 1);
  const common = sharedBy(compared);
  if (common.length === 0) return [];
  const contributions = (metric: JudgeMetric, [, columns]: Predicted, rows: Int32Array) =>
    columns.map((column) =>
      contributionsOf(metric, { label: picked(labels, rows), probability: picked(column, rows) }),
    );
  return judgeMetrics.flatMap((metric) => {
    const [best] = compared
      .map((each) => ({
        each,
        score: contributedScore(stacked(contributions(metric, each, common), 1)),
      }))
      .sort((a, b) => (isHigherBetter(metric) ? b.score - a.score : a.score - b.score));
    if (best === undefined) return [];
    const [against] = best.each;
    const found = compared.flatMap((each) => {
      const [method] = each;
      if (method === against) return [];
      const rows = sharedBy([each, best.each]);
      const columns = contributions(metric, each, rows);
      const itsColumns = contributions(metric, best.each, rows);
      const width = Math.max(columns.length, itsColumns.length);
      const one = stacked(columns, width / columns.length);
      const other = stacked(itsColumns, width / itsColumns.length);
      const { codes: unit, names } = pickedTexts(units, rows);
      const { difference, p } = pairedPermutation({
        one,
        other,
        permutations,
        units: names.length,
        unit: Int32Array.from(
          { length: width * rows.length },
          (_, at) => unit[at % rows.length] ?? 0,
        ),
        random: randomFrom(seed, "ensemble permutation", metric, method),
      });
      const values = { value: contributedScore(one), againstValue: contributedScore(other) };
      return [{ metric, method, against, n: rows.length, ...values, difference, p }];
    });
    const pAdjusted = adjusted(
      found.map(({ p }) => p),
      "by",
    );
    return found.map((test, at) => ({ ...test, pAdjusted: pAdjusted[at] ?? 1 }));
  });
}

/**
 * Columns one after the other, all of them `times` times; each keeps bins of its own, so that the
 * score of all is the mean of theirs.
 */
function stacked(columns: readonly Contributions[], times: number): Contributions {
  const each = columns[0]?.value.length ?? 0;
  const value = new Float64Array(times * columns.length * each);
  const bin = new Int32Array(value.length);
  for (let place = 0; place < times * columns.length; place++) {
    const column = columns[place % columns.length];
    if (column === undefined) continue;
    value.set(column.value, place * each);
    bin.set(column.bin?.map((its) => binsEach * place + its) ?? [], place * each);
  }
  return columns[0]?.bin === undefined ? { value } : { value, bin };
}

/** At least as many as a column has. */
const binsEach = 16;
