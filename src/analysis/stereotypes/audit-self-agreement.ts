import { randomFrom } from "../../core/random.js";
import type { Estimate } from "../../stats/estimate.js";
import { krippendorffAlpha } from "../../stats/krippendorff-alpha.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import { weightedResamples } from "../../stats/weighted-bootstrap.js";
import { type IntervalOptions, undefinedEstimate, withInterval } from "../inference/intervals.js";
import { withBoundAfter } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** One answer of one asking of the judge. */
export interface TrialRow extends StereotypeRow {
  readonly trial: number;
}

/** How far a judge that is asked again says the same. */
export interface SelfAgreement {
  /** Null where all categories are pooled. */
  readonly category: string | null;
  /** Items that it answered twice or more. */
  readonly n: number;
  /** The share of the two answers of an item that are the same, over all its pairs of answers. */
  readonly same: Estimate;
  /** Krippendorff's, nominal: the same beyond chance. */
  readonly alpha: Estimate;
}

/**
 * A judge's agreement with itself over repeated trials, all categories pooled and each; intervals draw
 * whole queries. Items that were answered once say nothing and are in nothing.
 *
 * @returns nothing where no item was answered twice.
 */
export function selfAgreement(
  rows: readonly TrialRow[],
  { resamples = 2000, seed = 0 }: Pick<IntervalOptions, "resamples" | "seed"> = {},
): SelfAgreement[] {
  const items = new Map<string, { about: TrialRow; answers: number[] }>();
  for (const row of rows) {
    if (row.present === null) continue;
    const { category, query, model, phase, imageSet, item } = row;
    const id = JSON.stringify([category, query, model, phase, imageSet, item]);
    const found = items.get(id) ?? { about: row, answers: [] };
    items.set(id, found);
    found.answers.push(row.present);
  }
  const repeated = [...items.values()].filter(({ answers }) => answers.length > 1);
  const categories = [...new Set(repeated.map(({ about }) => about.category))];
  return (categories.length === 0 ? [] : [null, ...categories]).map((category) => {
    const own = repeated.filter(({ about }) => category === null || about.category === category);
    const { cluster, count } = promptClusters(
      own.map(({ about: { query } }) => ({ id: query, prompt: query })),
    );
    const answers = own.map((each) => each.answers);
    const ones = new Float64Array(own.length).fill(1);
    const [sames, alphas] = weightedResamples({
      cluster,
      clusters: count,
      count: 2,
      resamples,
      random: randomFrom(seed, "self-agreement"),
      statistics(weights, into) {
        into[0] = sameShare(answers, weights);
        into[1] = krippendorffAlpha(answers, { scale: "nominal", times: weights });
      },
    });
    const estimate = (value: number, resampled: Float64Array | undefined): Estimate => {
      if (Number.isNaN(value)) return undefinedEstimate("all answers are the same");
      const bounds = count < 2 ? undefined : percentileInterval(resampled ?? []);
      return withInterval(value, bounds, { whenNone: "no interval from one query" });
    };
    return {
      category,
      n: own.length,
      same: withBoundAfter(estimate(sameShare(answers, ones), sames), () => count),
      alpha: estimate(krippendorffAlpha(answers, { scale: "nominal", times: ones }), alphas),
    };
  });
}

/** Share of equal answers among all pairs of answers to one item. */
function sameShare(items: readonly (readonly number[])[], times: ArrayLike<number>): number {
  let [same, all] = [0, 0];
  items.forEach((answers, at) => {
    const yes = answers.filter((answer) => answer === 1).length;
    const no = answers.length - yes;
    const often = times[at] ?? 0;
    same += often * ((yes * (yes - 1)) / 2 + (no * (no - 1)) / 2);
    all += often * ((answers.length * (answers.length - 1)) / 2);
  });
  return same / all;
}
