import {
  type ConfusionImage,
  confusionGroupedRows,
  isReferenced,
} from "../../analysis/confusion/confusion-images.js";
import type { Measure } from "../../analysis/correlation/correlation-measures.js";
import { groupedCorrelation, inOrder } from "../../analysis/correlation/grouped-correlation.js";
import { type Dealing, dealtMeasures } from "../../analysis/correlation/grouping.js";
import {
  countedUnits,
  type ExactTest,
  type TestUnit,
} from "../../analysis/inference/exact-tests.js";
import { type GroupedRow, shuffleOf } from "../../analysis/inference/grouped-samples.js";
import { promptClusters } from "../../analysis/inference/prompt-clusters.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { type Random, randomFrom } from "../../core/random.js";
import { square } from "../../stats/elementary/powers.js";
import type { LocalizedScore } from "../../stats/localized-answers.js";
import type { PublishedConfusion } from "./conclusion.js";
import type { ComparedCorrelations, ConfusionEvidence } from "./findings.js";
import type { Resampling } from "./swap-selections.js";

/**
 * Correlates metrics with the reference in groups of images, as the paper does; each target once.
 *
 * @returns undefined of every target where no image has a reference.
 */
export function referenceCorrelations(
  images: readonly ConfusionImage[],
  metrics: readonly EvaluatedMetric[],
  { published, ...options }: Resampling & { readonly published: PublishedConfusion },
): ConfusionEvidence["correlation"] {
  const { groups, seeds } = published.correlation;
  const ids = metrics.map(({ id }) => id);
  const known = new Map<LocalizedScore, ComparedCorrelations>();
  const compare = (target: LocalizedScore): ComparedCorrelations => {
    const rows = confusionGroupedRows(images, metrics, target);
    const dealing = { target, groups, seeds };
    const compared = groupedCorrelation(
      { human: `the reference's ${target}`, metrics: ids, rows },
      { ...dealing, ...options },
    );
    return {
      ...compared,
      clusters: compared.conclusion.intervals.clusters,
      test: (metric: string, than: string) =>
        groupedSwapTest(rows, {
          ...dealing,
          places: [ids.indexOf(metric), ids.indexOf(than)],
          measure: "spearman",
          unit: "description",
          random: randomFrom(options.seed, "exact test", target, metric, than),
        }),
    };
  };
  return (target) => {
    if (!isReferenced(images)) return undefined;
    const comparison = known.get(target) ?? compare(target);
    known.set(target, comparison);
    return comparison;
  };
}

/** Up to so many prompts all ways of swapping are gone through. */
const mostToEnumerate = 10;
/** Enough for p to stay below 0.05 when adjusted for dozens of claims. */
const permutations = 4_999;
/** So many that lie as far say enough: the two are alike. */
const enough = 20;
/** So many at once, so that as many columns of scores are held. */
const atOnce = 200;

/**
 * Whether one metric follows people more closely than another over groups of images: if the two were
 * alike, their scores of all images of a prompt could be swapped. Scores are first given the same
 * mean and spread, which changes no correlation. Of up to 10 prompts p is the share of all ways of
 * swapping whose difference lies at least as far from 0; of more, random ones are drawn until 20 lie so
 * far, p = 20 / those drawn, or 4,999 are drawn, of which b do, p = (1 + b) / 5,000 (Besag and Clifford,
 * "Sequential Monte Carlo p-values", Biometrika 78, 1991).
 *
 * @param options.places of the two among a row's scores.
 */
export function groupedSwapTest(
  rows: readonly GroupedRow[],
  {
    places,
    measure,
    unit,
    random,
    ...dealing
  }: Dealing & {
    readonly places: readonly [one: number, other: number];
    readonly measure: Measure;
    readonly unit: TestUnit;
    readonly random: Random;
  },
): ExactTest {
  const both = rows.filter(
    ({ counts, scores }) => counts !== null && places.every((at) => typeof scores[at] === "number"),
  );
  const { cluster, count } = promptClusters(both);
  const isExact = count <= mostToEnumerate;
  const ways = isExact ? Math.max(1, 2 ** (count - 1)) : permutations;
  const swapsOf = (way: number): readonly boolean[] =>
    Array.from({ length: count }, (_, at) =>
      isExact ? ((way >> at) & 1) === 1 : random.integer(2) === 1,
    );
  // As groupedCorrelation has them.
  const images = inOrder(both.map(({ id, counts }, at) => ({ id, counts, at })));
  const drawn = Int32Array.from(images.keys());
  const promptOf = Int32Array.from(images, ({ at }) => cluster[at] ?? 0);
  const scoresOf = (place: number) => {
    const scores = alike(both.map((row) => row.scores[place] ?? 0));
    return Float64Array.from(images, ({ at }) => scores[at] ?? 0);
  };
  const [ones, others] = [scoresOf(places[0]), scoresOf(places[1])];
  const counted = (which: 0 | 1 | 2) =>
    Float64Array.from(images, ({ counts }) => counts?.[which] ?? 0);
  const people = { tp: counted(0), fp: counted(1), fn: counted(2) };
  const differences = (swaps: readonly (readonly boolean[])[]): number[] => {
    const scores = swaps.flatMap((isSwapped) => {
      const pair = [new Float64Array(ones), new Float64Array(others)] as const;
      for (let at = 0; at < drawn.length; at++) {
        if (isSwapped[promptOf[at] ?? 0] !== true) continue;
        pair[0][at] = others[at] ?? 0;
        pair[1][at] = ones[at] ?? 0;
      }
      return pair;
    });
    const valuesOf = dealtMeasures({ ...people, scores }, dealing, measure);
    const values = valuesOf(drawn, shuffleOf);
    return swaps.map((_, at) => (values[2 * at] ?? 0) - (values[2 * at + 1] ?? 0));
  };
  const restsOn = countedUnits(count, unit);
  const [found = Number.NaN] = differences([Array.from({ length: count }, () => false)]);
  if (Number.isNaN(found)) return { p: 1, restsOn };
  let atLeast = 0;
  for (let from = 0; from < ways; from += atOnce) {
    const size = Math.min(atOnce, ways - from);
    const some = differences(Array.from({ length: size }, (_, at) => swapsOf(from + at)));
    for (const [at, each] of some.entries()) {
      atLeast += Number(Math.abs(each) >= Math.abs(found) - 1e-12);
      if (!isExact && atLeast === enough) return { p: enough / (from + at + 1), restsOn };
    }
  }
  return { p: isExact ? atLeast / ways : (1 + atLeast) / (1 + ways), restsOn };
}

/** With mean 0 and standard deviation 1; scores that are all the same stay alike. */
function alike(scores: readonly number[]): number[] {
  const mean = scores.reduce((sum, each) => sum + each, 0) / scores.length;
  const variance = scores.reduce((sum, each) => sum + square(each - mean), 0) / scores.length;
  const spread = Math.sqrt(variance) || 1;
  return scores.map((each) => (each - mean) / spread);
}
