import { once } from "../../core/cache.js";
import {
  pairInfluences,
  pearsonInfluence,
  spearmanInfluence,
} from "../../stats/correlation-influence.js";
import {
  kendallPValue,
  kendallTauB,
  kendallTauC,
  pairCounter,
  pairwiseAccuracy,
} from "../../stats/pair-counts.js";
import {
  type Centre,
  type Centres,
  centre,
  correlationPValue,
  pearson,
} from "../../stats/pearson.js";
import { bothLevelWeights, type Ranked, ranked } from "../../stats/ranked.js";
import { spearman } from "../../stats/spearman.js";

/** Measures of how well one column follows another, in the order of every list of values here. */
export const measures = [
  "spearman",
  "kendallTauB",
  "pearson",
  "pairwiseAccuracy",
  "kendallTauC",
] as const;
export type Measure = (typeof measures)[number];

/** What sentences call them. */
export const measureNames: Readonly<Record<Measure, string>> = {
  spearman: "Spearman's correlation",
  kendallTauB: "Kendall's tau-b",
  pearson: "Pearson's correlation",
  pairwiseAccuracy: "pairwise accuracy",
  kendallTauC: "Kendall's tau-c",
};

/** Which pairs count, in the words of --json. */
export const pairRule =
  "pairs that people tie are left out; pairs that only the metric ties count half";

/** Range of a measure. */
export const measureRange = (measure: Measure): readonly [low: number, high: number] =>
  measure === "pairwiseAccuracy" ? [0, 1] : [-1, 1];

/** All measures of one metric's scores against people's ratings of the same rows. */
export interface Measured {
  /** With a weight for each row, of all rows that were given; NaN where undefined. */
  values(weights?: Float64Array): number[];
  /** One of the values, without the work of the others. */
  value(measure: Measure): number;
  /**
   * Derivative of a measure by the weight of each row; none where a column is constant.
   *
   * @param into where it is written; new by default.
   */
  influence(measure: Measure, into?: Float64Array): Float64Array | undefined;
  /** Two-sided, of no association, as if rows were independent; NaN where undefined. */
  pValues(): { readonly spearman: number; readonly kendallTauB: number; readonly pearson: number };
}

/**
 * @param rows which of all rows the scores and ratings belong to.
 * @param options.y the order of the ratings, where it is known.
 * @param options.ofY their centre, once for all metrics that have them.
 * @param options.weights how many rows each of all rows stands for; then there are no influences and no p-values.
 */
export function measured(
  scores: Float64Array,
  ratings: Float64Array,
  rows: Int32Array,
  {
    y = ranked(ratings),
    ofY = once(() => centre(ratings)),
    weights: base,
  }: {
    readonly y?: Ranked;
    readonly ofY?: () => Centre;
    readonly weights?: Float64Array | undefined;
  } = {},
): Measured {
  const x = ranked(scores);
  const centres = once((): Centres => [centre(scores), ofY()]);
  let counter: ReturnType<typeof pairCounter> | undefined;
  let pairs: ReturnType<typeof pairInfluences> | undefined;
  let product: number | undefined;
  let own: Float64Array | undefined;
  const found = (weights?: Float64Array) => {
    const times = weights ?? base;
    if (times !== undefined) {
      own ??= new Float64Array(rows.length);
      for (let at = 0; at < rows.length; at++) own[at] = times[rows[at] ?? 0] ?? 1;
      if (weights !== undefined && base !== undefined) {
        for (let at = 0; at < rows.length; at++)
          own[at] = (own[at] ?? 1) * (base[rows[at] ?? 0] ?? 1);
      }
      counter ??= pairCounter(x, y);
    }
    const used = times === undefined ? undefined : own;
    const ofLevels = bothLevelWeights(x, y, used);
    const counts =
      times === undefined && pairs !== undefined
        ? pairs.counts()
        : (counter ?? pairCounter(x, y))(used, ofLevels);
    const values = [
      spearman(x, y, used, ofLevels, times === undefined ? product : undefined),
      kendallTauB(counts),
      pearson(scores, ratings, used, used === undefined ? centres() : undefined),
      pairwiseAccuracy(counts),
      kendallTauC(counts),
    ];
    return { values, difference: counts.difference };
  };
  let known: ReturnType<typeof found> | undefined;
  const ofAll = () => {
    known ??= found();
    return known;
  };
  return {
    values: (weights) => (weights === undefined ? ofAll() : found(weights)).values,
    value(measure) {
      if (base === undefined && measure === "spearman") return spearman(x, y);
      if (base === undefined && measure === "pearson")
        return pearson(scores, ratings, undefined, centres());
      return ofAll().values[measures.indexOf(measure)] ?? Number.NaN;
    },
    influence(measure, into) {
      if (base !== undefined || x.levels < 2 || y.levels < 2) return undefined;
      if (measure === "spearman") {
        const ofRanks = spearmanInfluence(x, y, into);
        product = ofRanks.product;
        return ofRanks.influence;
      }
      if (measure === "pearson") return pearsonInfluence(scores, ratings, into, centres());
      pairs ??= pairInfluences(x, y);
      if (measure === "kendallTauB") return pairs.tauB(into);
      return measure === "kendallTauC" ? pairs.tauC(into) : pairs.accuracy(into);
    },
    pValues() {
      if (base !== undefined) {
        return { spearman: Number.NaN, kendallTauB: Number.NaN, pearson: Number.NaN };
      }
      const { difference, values } = ofAll();
      const [rho = Number.NaN, , r = Number.NaN] = values;
      return {
        spearman: correlationPValue(rho, rows.length),
        kendallTauB: kendallPValue(x, y, difference),
        pearson: correlationPValue(r, rows.length),
      };
    },
  };
}
