import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { type Random, randomFrom } from "../../core/random.js";
import { decimalNumber } from "../../core/read-json.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import { fleissOf, generalisedFleissOf, majorityOf } from "../../stats/fleiss-kappa.js";
import { krippendorffOf, type RatingScale } from "../../stats/krippendorff-alpha.js";
import { percentileInterval } from "../../stats/percentile-interval.js";
import { fewClusters, fewestToTell } from "../inference/few-clusters.js";
import {
  type IntervalMethod,
  intervalMethod,
  undefinedEstimate,
  withInterval,
} from "../inference/intervals.js";
import { inOrder } from "../inference/sorted-names.js";
import {
  type PairwiseAgreement,
  pairwiseAgreement,
  type RatedItems,
} from "./pairwise-agreement.js";
import { annotatorsOf, isEven, itemsWith, ratedItems } from "./rated-items.js";

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
export const agreement = (
  rows: readonly RatingRow[],
  options: AgreementOptions,
): AgreementConclusion =>
  agreementOf(
    {
      item: textColumn(rows.map(({ item }) => item)),
      annotator: textColumn(rows.map(({ annotator }) => annotator)),
      value: textColumn(rows.map(({ value }) => value)),
    },
    options,
  );

/** The same of rows by column. */
export function agreementOf(
  { item, annotator, value }: Readonly<Record<"item" | "annotator" | "value", TextColumn>>,
  { scale, categories: given, resamples, seed = 0 }: AgreementOptions,
): AgreementConclusion {
  const rows = item.codes.length;
  const used = new Map<string, number>();
  const times = countsOf(value);
  for (const [code, name] of value.names.entries()) {
    if ((times[code] ?? 0) > 0) used.set(name, times[code] ?? 0);
  }
  const ratings = times.reduce((sum, count) => sum + count, 0);
  const categories = given ?? inOrder(used.keys());
  checkCategories(categories, [...used.keys()], { scale, isGiven: given !== undefined });
  const annotators = annotatorsOf(annotator, item);
  const rated = ratedItems({ item, annotator, value }, { categories, annotators });
  const items = rated.start.length - 1;
  const n = itemsWith(rated, 2).length;
  const intervals = intervalMethod(
    { interval: "percentile", resamples, seed },
    { clusters: n, clusteredBy: "item" },
  );
  const intervalsOf = estimates(rated, { scale, categories, intervals });
  return {
    scale,
    categories,
    items,
    annotators: annotators?.length ?? null,
    ratings,
    n,
    unscored: rows - ratings,
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

/** How many rows have each text. */
function countsOf({ codes, names }: TextColumn): Int32Array {
  const counts = new Int32Array(names.length);
  for (const code of codes) if (code >= 0) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

function loneItems(rated: RatedItems): string[] {
  const items = rated.start.length - 1;
  const lone = items - itemsWith(rated, 2).length;
  if (lone === 0) return [];
  const have = lone === 1 ? "has" : "have";
  const are = lone === 1 ? "is" : "are";
  const shares =
    itemsWith(rated, 1).length > items - lone
      ? " but the shares of categories in Fleiss' kappa"
      : "";
  return [
    `${lone} of ${items} items ${have} fewer than two ratings and ${are} in no statistic${shares}`,
  ];
}

/** As many pairs of annotators are named. */
const mostNamed = 3;

/** Warns of annotators whose categories have other names: as many as agree by chance would share one. */
function disjointCategories(
  { start, number, position }: RatedItems,
  {
    annotators,
    categories,
  }: { readonly annotators: readonly string[]; readonly categories: readonly string[] },
): string[] {
  const used = annotators.map(() => new Set<number>());
  const shared = annotators.map(() => new Map<number, number>());
  for (let item = 0; item < start.length - 1; item++) {
    for (let at = start[item] ?? 0; at < (start[item + 1] ?? 0); at++) {
      const annotator = number[at] ?? 0;
      used[annotator]?.add(position[at] ?? 0);
      const beside = shared[annotator];
      for (let next = at + 1; next < (start[item + 1] ?? 0); next++) {
        const other = number[next] ?? 0;
        if (other > annotator) beside?.set(other, (beside.get(other) ?? 0) + 1);
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
  used: ReadonlyMap<string, number>,
  { scale, categories }: { readonly scale: RatingScale; readonly categories: readonly string[] },
): string[] {
  if (scale === "interval") return [];
  const lone = categories.filter((category) => used.get(category) === 1);
  return lone.length === 0
    ? []
    : [
        `${lone.length === 1 ? "the category" : "the categories"} ${listText(lone)} ${lone.length === 1 ? "is" : "are"} ` +
          `used once, so no two ratings can agree on ${lone.length === 1 ? "it" : "them"}`,
      ];
}

function estimates(
  rated: RatedItems,
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
  const paired = patternsOf(rated, 2);
  // Items with one rating say which categories are used, so the generalised form draws them, too.
  const isOfAll = !isEven(rated);
  const all = isOfAll ? patternsOf(rated, 1) : paired;
  const { distinct } = paired;
  const values = distinct.map((ratings) =>
    scale === "interval" ? ratings.map((position) => Number(categories[position])) : ratings,
  );
  const share = majorityOf(distinct);
  const alpha = krippendorffOf(values, scale);
  const kappa = (isOfAll ? generalisedFleissOf : fleissOf)(all.distinct);
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
  const drawn = new Uint32Array(drawnAtOnce);
  for (let resample = 0; resample < (samples[0]?.length ?? 0); resample++) {
    times.fill(0);
    for (let from = 0; from < items; from += drawnAtOnce) {
      const some = from + drawnAtOnce > items ? drawn.subarray(0, items - from) : drawn;
      random.integers(items, some);
      countPatterns(patternOf, some, times);
    }
    for (const [at, sample] of samples.entries()) {
      sample[resample] = statistics[at]?.(times) ?? Number.NaN;
    }
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

/** Draws that stay in a processor's nearest memory. */
const drawnAtOnce = 4096;

function countPatterns(patternOf: Int32Array, drawn: Uint32Array, times: Float64Array): void {
  for (let draw = 0; draw < drawn.length; draw++) {
    const pattern = patternOf[drawn[draw] ?? 0] ?? 0;
    times[pattern] = (times[pattern] ?? 0) + 1;
  }
}

interface Patterns {
  readonly distinct: readonly (readonly number[])[];
  /** The pattern of each item. */
  readonly patternOf: Int32Array;
}

/** Patterns of the items with so many ratings or more. Most are rated like others: each pattern is looked at once, however often it was drawn. */
function patternsOf(rated: RatedItems, least: number): Patterns {
  const { start, position } = rated;
  const patterns = new Map<string, { number: number; ratings: number[] }>();
  const patternOf = itemsWith(rated, least).map((item) => {
    const positions = [...position.subarray(start[item], start[item + 1])].sort((a, b) => a - b);
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
          : `Give the categories in their order, such as --categories bad,fair,good. There are ${listText(words.slice(0, 12))}`,
    });
  }
}

const isNumber = (category: string) => decimalNumber(category.trim()) !== undefined;
