import { clusterSums } from "../../stats/cluster-sums.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type LocalizedCounts,
  type LocalizedScore,
  localizedCounts,
  localizedRatios,
  localizedScore,
  localizedScoreNames,
} from "../../stats/localized-answers.js";
import { fewClusters } from "../inference/few-clusters.js";
import {
  estimate,
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
  undefinedEstimate,
} from "../inference/intervals.js";
import { withOneSidedBound } from "../inference/one-sided-bound.js";
import { promptClusters } from "../inference/prompt-clusters.js";
import { alikeNames } from "../inference/sorted-names.js";
import {
  type AttributedImage,
  type AttributedImages,
  type AttributeRow,
  attributedImages,
} from "./attributed-images.js";

export interface AttributeOptions extends IntervalOptions {
  /** A question is answered yes at this probability or above; default 0.5. */
  readonly threshold?: number;
}

/**
 * Whether attributes stand on the entities that they were meant for: of the questions about an
 * entity's own attributes (reflection) a yes is a true positive and a no a false negative, of those
 * about another's (leakage) a yes is a false positive and a no a true negative; yes is said at or
 * above the threshold. Of equal questions of an image the first counts, and a leakage question that
 * equals a reflection question does not; both are counted as dropped. An image with an unscored
 * question is excluded from all but `bounds`; with annotators, that annotator's answers on it are. Intervals draw whole prompts, or images where there are
 * none. But for which of equal questions comes first, the order of the rows changes nothing.
 *
 * @throws InputError where an image has two prompts.
 * @example
 * const about = { image: "1", entity: "shirt", attribute: "striped" };
 * attributes([
 *   { ...about, kind: "reflection", probability: 0.9 },
 *   { ...about, entity: "skirt", kind: "leakage", probability: 0.6 },
 * ]).pooled.precision // 0.5
 */
export const attributes = (
  rows: readonly AttributeRow[],
  options: AttributeOptions = {},
): AttributeConclusion => attributesOf(attributedImages(rows), options);

/** The same of images. */
export function attributesOf(
  asked: AttributedImages,
  { threshold = 0.5, ...options }: AttributeOptions,
): AttributeConclusion {
  const all = asked.images.map((one) => ({ ...one, ...countsOf(one, threshold) }));
  const scored = all.filter(({ unscored }) => unscored === 0);
  const { cluster, count } = promptClusters(
    scored.map(({ image, prompt, annotator }) => ({
      id: image,
      // The answers of several annotators about one image are drawn together.
      prompt: prompt ?? (annotator === undefined ? undefined : image),
    })),
  );
  const intervals = intervalMethod(options, {
    clusters: count,
    clusteredBy: scored.some(({ prompt }) => prompt !== undefined) ? "prompt" : "image",
  });
  const intervalsOf = estimates(scored, { cluster, clusters: count, intervals });
  const pooled = added(scored);
  const answers = (some: readonly AttributedImage[]) =>
    some.reduce((sum, { reflection, leakage }) => sum + reflection.length + leakage.length, 0);
  const unscored = all.reduce((sum, each) => sum + each.unscored, 0);
  const conclusion = {
    threshold,
    pooled: {
      ...numbersOf(intervalsOf.pooled),
      ...pooled,
      unscored: all.length - scored.length,
    },
    imageMean: {
      ...numbersOf(intervalsOf.imageMean),
      n: byScore((name) => scored.filter((one) => scoreOf(name, one) !== null).length),
    },
    intervalsOf,
    bounds: boundsOf(all, threshold),
    images: all.map(({ image, annotator, unscored, ...one }) => ({
      image,
      ...(annotator === undefined ? {} : { annotator }),
      ...byScore((name) => (unscored > 0 ? null : scoreOf(name, one))),
      tp: one.tp,
      fp: one.fp,
      tn: one.tn,
      fn: one.fn,
      unscored,
    })),
    n: answers(scored),
    unscored,
    leftOut: answers(all) - answers(scored),
    dropped: { duplicates: asked.duplicates, shared: asked.shared },
    intervals,
  };
  return {
    ...conclusion,
    warnings: attributeWarnings(conclusion, {
      contradicted: asked.contradicted,
      spellings: asked.names.flatMap(alikeNames),
    }),
  };
}

const countsOf = ({ reflection, leakage }: AttributedImage, threshold: number) =>
  localizedCounts({ reflection, leakage, threshold });

function scoreOf(name: LocalizedScore, counts: LocalizedCounts): number | null {
  const score = localizedScore(name, counts);
  return Number.isNaN(score) ? null : score;
}

/** A record with one member for each score. */
function byScore<Value>(member: (name: LocalizedScore) => Value): Record<LocalizedScore, Value> {
  return { precision: member("precision"), recall: member("recall"), f1: member("f1") };
}

const numbersOf = (of: Estimates): ScoreNumbers => byScore((name) => of[name].value);

const added = (counts: readonly LocalizedCounts[]): LocalizedCounts => {
  const sum = (name: keyof LocalizedCounts) => counts.reduce((total, one) => total + one[name], 0);
  return { tp: sum("tp"), fp: sum("fp"), tn: sum("tn"), fn: sum("fn") };
};

const whyUndefined: Readonly<Record<LocalizedScore, string>> = {
  precision: "no question was answered yes",
  recall: "there is no reflection question",
  f1: "there is no reflection question, and nothing leaked",
};

function estimates(
  scored: readonly LocalizedCounts[],
  {
    cluster,
    clusters,
    intervals,
  }: {
    readonly cluster: Int32Array;
    readonly clusters: number;
    readonly intervals: IntervalMethod;
  },
): AttributeConclusion["intervalsOf"] {
  const column = (of: (counts: LocalizedCounts) => number) => Float64Array.from(scored, of);
  // For each score: above and below the line of all questions, then the image's own and whether it has one.
  const columns = localizedScoreNames.flatMap((name) => [
    column((counts) => localizedRatios[name](counts)[0]),
    column((counts) => localizedRatios[name](counts)[1]),
    column((counts) => scoreOf(name, counts) ?? 0),
    column((counts) => (scoreOf(name, counts) === null ? 0 : 1)),
  ]);
  const group = new Int32Array(scored.length);
  const table = clusterSums({ cluster, group, columns, clusters, groups: 1 });
  const termsOf = (first: 0 | 2) =>
    localizedScoreNames.map((name, at) => [
      {
        weight: 1,
        groups: [0],
        numerator: at * 4 + first,
        denominator: at * 4 + first + 1,
        whenEmpty:
          scored.length === 0 ? "every image has an unscored question" : whyUndefined[name],
      },
    ]);
  const terms = [...termsOf(0), ...termsOf(2)];
  const found = estimate(
    table,
    terms.map((each) => ({ terms: each, within: [0, 1] })),
    intervals,
  ).map((each, at) => withOneSidedBound(each, terms[at] ?? [], table));
  const none = undefinedEstimate("every image has an unscored question");
  const from = (first: number) =>
    byScore((name) => found[first + localizedScoreNames.indexOf(name)] ?? none);
  return { pooled: from(0), imageMean: from(localizedScoreNames.length) };
}

/** Pooled F1 if no unscored question were answered rightly, and if all were. */
function boundsOf(
  all: readonly AttributedImage[],
  threshold: number,
): AttributeConclusion["bounds"] {
  const f1 = (isRight: boolean) =>
    scoreOf(
      "f1",
      added(
        all.map(({ reflection, leakage, unscoredReflection, unscoredLeakage }) =>
          localizedCounts({
            reflection: [...reflection, ...Array(unscoredReflection).fill(isRight ? 1 : -1)],
            leakage: [...leakage, ...Array(unscoredLeakage).fill(isRight ? -1 : 1)],
            threshold,
          }),
        ),
      ),
    );
  return { low: f1(false), high: f1(true) };
}

/** Null where undefined. */
type ScoreNumbers = Readonly<Record<LocalizedScore, number | null>>;

export type Estimates = Readonly<Record<LocalizedScore, Estimate>>;

/** One image's questions and what became of them. */
export interface ImageAttributes extends ScoreNumbers, LocalizedCounts {
  readonly image: string;
  /** Annotator who gave these answers, where the table names any. */
  readonly annotator?: string;
  /** Questions without an answer; with one the image is excluded from all but `bounds`. */
  readonly unscored: number;
}

/** Shares from 0 to 1, null where they are 0 / 0; `intervalsOf` holds intervals and reasons. */
export interface AttributeConclusion {
  readonly threshold: number;
  /** Over the questions of all images together. */
  readonly pooled: ScoreNumbers &
    LocalizedCounts & {
      /** Images left out since a question of theirs has no answer. */
      readonly unscored: number;
    };
  /** The mean over the images of which a score is defined, and how many these are. */
  readonly imageMean: ScoreNumbers & { readonly n: Readonly<Record<LocalizedScore, number>> };
  readonly intervalsOf: { readonly pooled: Estimates; readonly imageMean: Estimates };
  /** Pooled F1 over all images, had every unscored question been answered wrongly, or rightly. */
  readonly bounds: { readonly low: number | null; readonly high: number | null };
  readonly images: readonly ImageAttributes[];
  /** Questions behind the pooled numbers. */
  readonly n: number;
  /** Questions without an answer. */
  readonly unscored: number;
  /** Answers of images that another question leaves out. */
  readonly leftOut: number;
  readonly dropped: {
    /** Rows that repeat an earlier one. */
    readonly duplicates: number;
    /** Leakage questions that equal a reflection question of the image. */
    readonly shared: number;
  };
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/** "3 images"; where several people answered about images, each is scored for each of them: "3 pairs of …". */
export function scoredText(images: AttributeConclusion["images"], count = images.length): string {
  const several = count === 1 ? "" : "s";
  return images.some(({ annotator }) => annotator !== undefined)
    ? `${count} pair${several} of image and annotator`
    : `${count} image${several}`;
}

/** Caveats of attribute scores, a sentence each. */
function attributeWarnings(
  {
    pooled,
    imageMean,
    images,
    unscored,
    dropped: { duplicates, shared },
    intervals,
  }: Omit<AttributeConclusion, "warnings">,
  {
    contradicted,
    spellings,
  }: {
    readonly contradicted: number;
    /** Names that differ in nothing but capitals and spaces, each with the others like it. */
    readonly spellings: readonly (readonly string[])[];
  },
): string[] {
  const warnings: string[] = [];
  const scored = images.length - pooled.unscored;
  const one = (count: number, single: string, several: string) => (count === 1 ? single : several);
  if (unscored > 0) {
    warnings.push(
      `${unscored} ${one(unscored, "question is", "questions are")} unscored: ${pooled.unscored} of ` +
        `${scoredText(images)} ${one(pooled.unscored, "is", "are")} excluded`,
    );
  }
  if (duplicates > 0) {
    warnings.push(
      `${duplicates} ${one(duplicates, "row repeats an earlier one and was", "rows repeat earlier ones and were")} dropped` +
        (contradicted === 0
          ? ""
          : `; ${contradicted} of them ${one(contradicted, "has", "have")} another answer, and the first counts`),
    );
  }
  if (shared > 0) {
    warnings.push(
      `${shared} leakage ${one(shared, "question equals", "questions equal")} a reflection question of the image and ` +
        `${one(shared, "was", "were")} dropped`,
    );
  }
  const [alike] = spellings;
  if (alike !== undefined) {
    const others = spellings.length - 1;
    warnings.push(
      `${alike.map((name) => JSON.stringify(name)).join(" and ")} differ in capitals or spaces alone ` +
        `and count as different names${others === 0 ? "" : `, as do ${others} more`}`,
    );
  }
  for (const [name, why] of [
    ["precision", "no question was answered yes"],
    ["recall", "there is no reflection question"],
  ] as const) {
    const without = scored - imageMean.n[name];
    if (without > 0) {
      warnings.push(
        `${name} is undefined for ${without} of ${scored} images, where ${why}; its mean is over the others`,
      );
    }
  }
  return [...warnings, ...fewClusters(intervals)];
}
