import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { type Random, randomFrom } from "../../core/random.js";
import { decimalNumber } from "../../core/read-json.js";
import type { Estimate } from "../../stats/estimate.js";
import { fleissKappa, generalisedFleissKappa } from "../../stats/fleiss-kappa.js";
import { krippendorffAlpha, type RatingScale } from "../../stats/krippendorff-alpha.js";
import { majorityShare } from "../../stats/majority-share.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import { fewClusters, fewestToTell } from "../inference/few-clusters.js";
import {
  type IntervalMethod,
  intervalMethod,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { inOrder } from "../inference/sorted-names.js";
import { type PairwiseAgreement, pairwiseAgreement, type Rating } from "./pairwise-agreement.js";

/** One annotator's rating of one item, as text; undefined where they gave none. */
export interface RatingRow {
  readonly item: string;
  /** Undefined where nobody knows who it was: then in every row. */
  readonly annotator?: string | undefined;
  readonly value: string | undefined;
}

export interface AgreementOptions {
  readonly scale: RatingScale;
  /** All categories in their order. Default: those that were used, numbers by size, words by letter. */
  readonly categories?: readonly string[] | undefined;
  /** Default 2,000. */
  readonly resamples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

export interface AgreementConclusion {
  readonly scale: RatingScale;
  readonly categories: readonly string[];
  readonly items: number;
  /** Null where raters are anonymous. */
  readonly annotators: number | null;
  readonly ratings: number;
  /** Items with two ratings or more: those that say something about agreement. */
  readonly n: number;
  /** Rows without a rating. */
  readonly unscored: number;
  /** Null where undefined; `intervalsOf` says why. */
  readonly majorityShare: number | null;
  /** Null where raters are anonymous: nothing says which two ratings are of one pair. */
  readonly pairwise: PairwiseAgreement | null;
  readonly fleissKappa: number | null;
  /** Fleiss' own (1971), or, where items differ in their number of ratings, generalised (Gwet 2014). */
  readonly fleissForm: "fleiss" | "generalised";
  readonly krippendorffAlpha: number | null;
  readonly intervalsOf: {
    readonly majorityShare: Estimate;
    readonly fleissKappa: Estimate;
    readonly krippendorffAlpha: Estimate;
  };
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * How far annotators agree on the same items: the share of the majority, Cohen's kappa of each pair
 * on the items both rated (weights by the position of the category), Fleiss' kappa (generalised where
 * items differ in their number of ratings), and Krippendorff's alpha on the scale. Rows without
 * annotators are ratings by anonymous ones: no pair is compared. Intervals draw whole items. The order
 * of the rows changes nothing.
 *
 * @throws InputError where a value is none of the categories, an interval scale's value is no number,
 *   words have an order that was not given, or only some rows name an annotator.
 * @example
 * const rows = [["a", "x", "1"], ["a", "y", "1"], ["b", "x", "2"], ["b", "y", "3"]] as const;
 * agreement(
 *   rows.map(([item, annotator, value]) => ({ item, annotator, value })),
 *   { scale: "nominal" },
 * ).majorityShare // 0.75
 */
export function agreement(
  rows: readonly RatingRow[],
  { scale, categories: given, resamples, seed = 0 }: AgreementOptions,
): AgreementConclusion {
  const used = rows.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const categories = given ?? inOrder(used);
  checkCategories(categories, used, { scale, isGiven: given !== undefined });
  const positions = new Map(categories.map((category, position) => [category, position]));
  const annotators = annotatorsOf(rows);
  const numbers = new Map(annotators?.map((annotator, number) => [annotator, number]));

  const items = new Map<string, Rating[]>();
  for (const { item, annotator, value } of rows) {
    const ratings = items.get(item) ?? [];
    items.set(item, ratings);
    const position = value === undefined ? undefined : positions.get(value);
    // The number says nothing about anonymous ratings.
    const number = annotator === undefined ? 0 : numbers.get(annotator);
    if (position !== undefined && number !== undefined) ratings.push({ number, position });
  }
  const rated = inOrder(items.keys()).map((item) => items.get(item) ?? []);
  const n = rated.filter((ratings) => ratings.length > 1).length;
  const intervals = intervalMethod(
    { interval: "percentile", resamples, seed },
    { clusters: n, clusteredBy: "item" },
  );
  const intervalsOf = estimates(rated, { scale, categories, intervals });
  return {
    scale,
    categories,
    items: items.size,
    annotators: annotators?.length ?? null,
    ratings: used.length,
    n,
    unscored: rows.length - used.length,
    majorityShare: intervalsOf.majorityShare.value,
    pairwise:
      annotators &&
      pairwiseAgreement(rated, {
        annotators,
        // Words that nobody put in order are at no distance.
        isOrdered: given !== undefined || categories.every(isNumber),
        numbers: categories.every(isNumber) ? categories.map(Number) : undefined,
      }),
    fleissKappa: intervalsOf.fleissKappa.value,
    fleissForm: isEven(rated) ? "fleiss" : "generalised",
    krippendorffAlpha: intervalsOf.krippendorffAlpha.value,
    intervalsOf,
    warnings: [
      ...loneItems(rated),
      ...loneCategories(used, { scale, categories }),
      ...(annotators === null ? [] : disjointCategories(rated, { annotators, categories })),
      ...(annotators === null
        ? ["no row names an annotator: ratings of one item count as those of different people"]
        : []),
      ...fewClusters(intervals),
    ],
    intervals,
  };
}

/** The names of all annotators; null where no row has one. */
function annotatorsOf(rows: readonly RatingRow[]): string[] | null {
  const names = rows.flatMap(({ annotator }) => (annotator === undefined ? [] : [annotator]));
  if (names.length === 0 && rows.length > 0) return null;
  if (names.length === rows.length) return inOrder(names);
  const { item = "" } = rows.find(({ annotator }) => annotator === undefined) ?? {};
  throw new InputError(
    `Expected an annotator in every row or in none but ${rows.length - names.length} of ${rows.length} ` +
      `rows have none, the first of item "${item}"`,
    {
      hint: "Name the annotators of these ratings, or remove the column; raters are then anonymous",
    },
  );
}

type Items = readonly (readonly Rating[])[];

/** Tests if all rated items have the same number of ratings, two or more. */
function isEven(rated: Items): boolean {
  const lengths = new Set(rated.map(({ length }) => length));
  lengths.delete(0);
  return lengths.size === 1 && !lengths.has(1);
}

function loneItems(rated: Items): string[] {
  const lone = rated.filter(({ length }) => length < 2);
  if (lone.length === 0) return [];
  const have = lone.length === 1 ? "has" : "have";
  const are = lone.length === 1 ? "is" : "are";
  const shares = lone.some(({ length }) => length === 1)
    ? " but the shares of categories in Fleiss' kappa"
    : "";
  return [
    `${lone.length} of ${rated.length} items ${have} fewer than two ratings and ${are} in no statistic${shares}`,
  ];
}

/** As many pairs of annotators are named. */
const mostNamed = 3;

/** Warns of annotators whose categories have other names: as many as agree by chance would share one. */
function disjointCategories(
  rated: Items,
  {
    annotators,
    categories,
  }: { readonly annotators: readonly string[]; readonly categories: readonly string[] },
): string[] {
  const used = annotators.map(() => new Set<number>());
  const shared = annotators.map(() => new Map<number, number>());
  for (const ratings of rated) {
    for (const { number, position } of ratings) {
      used[number]?.add(position);
      const beside = shared[number];
      for (const other of ratings) {
        if (other.number > number) beside?.set(other.number, (beside.get(other.number) ?? 0) + 1);
      }
    }
  }
  const said = (annotator: number) =>
    `${annotators[annotator]} (${listText([...(used[annotator] ?? [])].map((at) => categories[at] ?? ""))})`;
  const found = shared.flatMap((beside, one) =>
    [...beside].flatMap(([other, n]) =>
      n >= fewestToTell && areDisjoint(used[one], used[other])
        ? [`${said(one)} and ${said(other)}`]
        : [],
    ),
  );
  return found.length === 0
    ? []
    : [
        `annotators who share no category can't agree: ${listText(found.slice(0, mostNamed))}` +
          `${found.length > mostNamed ? ` and ${found.length - mostNamed} more pairs` : ""}; where they name the ` +
          "same by other words, recode them: --values left=a,right=b",
      ];
}

const areDisjoint = (one = new Set<number>(), other = new Set<number>()) =>
  [...one].every((position) => !other.has(position));

/** Nobody can agree on a category that is used once; of numbers on a scale it is no matter. */
function loneCategories(
  used: readonly string[],
  { scale, categories }: { readonly scale: RatingScale; readonly categories: readonly string[] },
): string[] {
  if (scale === "interval") return [];
  const counts = new Map<string, number>();
  for (const one of used) counts.set(one, (counts.get(one) ?? 0) + 1);
  const lone = categories.filter((category) => counts.get(category) === 1);
  return lone.length === 0
    ? []
    : [
        `${lone.length === 1 ? "the category" : "the categories"} ${listText(lone)} ${lone.length === 1 ? "is" : "are"} ` +
          `used once, so no two ratings can agree on ${lone.length === 1 ? "it" : "them"}`,
      ];
}

function estimates(
  rated: readonly (readonly Rating[])[],
  {
    scale,
    categories,
    intervals: { resamples = 0, seed = 0 },
  }: {
    scale: RatingScale;
    categories: readonly string[];
    intervals: IntervalMethod;
  },
): AgreementConclusion["intervalsOf"] {
  const paired = patternsOf(rated.filter((ratings) => ratings.length > 1));
  // Items with one rating say which categories are used, so the generalised form draws them, too.
  const isOfAll = !isEven(rated);
  const all = isOfAll ? patternsOf(rated.filter((ratings) => ratings.length > 0)) : paired;
  const { distinct } = paired;
  const values = distinct.map((ratings) =>
    scale === "interval" ? ratings.map((position) => Number(categories[position])) : ratings,
  );
  const share = (times: Float64Array) => majorityShare(distinct, times);
  const alpha = (times: Float64Array) => krippendorffAlpha(values, { scale, times });
  const kappaOf = isOfAll ? generalisedFleissKappa : fleissKappa;
  const kappa = (times: Float64Array) => kappaOf(all.distinct, times);
  const estimated = (statistics: readonly Statistic[], patterns: Patterns): readonly Estimate[] =>
    paired.patternOf.length === 0
      ? statistics.map(() => undefinedEstimate("no item has two ratings"))
      : patternEstimates(statistics, patterns, {
          resamples,
          random: randomFrom(seed, "agreement bootstrap"),
        });
  const unknown = undefinedEstimate("no item has two ratings");
  const [majority = unknown, krippendorff = unknown, fleiss] = estimated(
    isOfAll ? [share, alpha] : [share, alpha, kappa],
    paired,
  );
  return {
    majorityShare: majority,
    fleissKappa: fleiss ?? estimated([kappa], all)[0] ?? unknown,
    krippendorffAlpha: krippendorff,
  };
}

/** Of items that are rated alike, by how often each pattern counts. */
type Statistic = (times: Float64Array) => number;

/** Estimates of several statistics of the same items, from the same draws of whole items. */
function patternEstimates(
  statistics: readonly Statistic[],
  { distinct, patternOf }: Patterns,
  { resamples, random }: { readonly resamples: number; readonly random: Random },
): Estimate[] {
  const items = patternOf.length;
  const times = new Float64Array(distinct.length);
  for (const pattern of patternOf) times[pattern] = (times[pattern] ?? 0) + 1;
  const values = statistics.map((statistic) => statistic(times));
  const samples = statistics.map(() => new Float64Array(items < 2 ? 0 : resamples));
  const drawn = new Uint32Array(items);
  for (let resample = 0; resample < (samples[0]?.length ?? 0); resample++) {
    random.integers(items, drawn);
    times.fill(0);
    for (let draw = 0; draw < items; draw++) {
      const pattern = patternOf[drawn[draw] ?? 0] ?? 0;
      times[pattern] = (times[pattern] ?? 0) + 1;
    }
    samples.forEach((sample, at) => {
      sample[resample] = statistics[at]?.(times) ?? Number.NaN;
    });
  }
  return values.map((value, at) => {
    if (Number.isNaN(value)) {
      return undefinedEstimate("all ratings are of one category: chance leaves no disagreement");
    }
    const sample = samples[at] ?? new Float64Array();
    const interval = sample.length === 0 ? undefined : percentileInterval(sample);
    return withInterval(value, interval, { whenNone: "no interval from one item" });
  });
}

interface Patterns {
  readonly distinct: readonly (readonly number[])[];
  /** The pattern of each item. */
  readonly patternOf: Int32Array;
}

/** Most items are rated like others: each pattern is looked at once, however often it was drawn. */
function patternsOf(items: Items): Patterns {
  const patterns = new Map<string, { number: number; ratings: number[] }>();
  const patternOf = Int32Array.from(items, (ratings) => {
    const positions = ratings.map(({ position }) => position).sort((a, b) => a - b);
    const key = positions.join();
    const pattern = patterns.get(key) ?? { number: patterns.size, ratings: positions };
    patterns.set(key, pattern);
    return pattern.number;
  });
  return { distinct: [...patterns.values()].map(({ ratings }) => ratings), patternOf };
}

function checkCategories(
  categories: readonly string[],
  used: readonly string[],
  { scale, isGiven }: { scale: RatingScale; isGiven: boolean },
): void {
  const stranger = isGiven ? used.find((value) => !categories.includes(value)) : undefined;
  if (stranger !== undefined) {
    throw new InputError(`Expected one of ${categories.join(", ")} but received "${stranger}"`);
  }
  const words = categories.filter((category) => !isNumber(category));
  const [word] = words;
  if (word === undefined) return;
  if (scale === "interval") {
    throw new InputError(`Expected numbers for an interval scale but received "${word}"`);
  }
  if (scale === "ordinal" && !isGiven) {
    throw new InputError(`Expected numbers or an order of categories but received "${word}"`, {
      hint:
        words.length < categories.length
          ? `If this value means no answer: --unscored ${words.join(",")}`
          : "Give the categories in their order: --categories bad,fair,good",
    });
  }
}

const isNumber = (category: string) => decimalNumber(category.trim()) !== undefined;
