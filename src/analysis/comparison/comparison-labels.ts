import type { Estimate } from "../../stats/estimate.js";
import { labelsNeeded } from "../../stats/prediction-powered-labels.js";
import { type LabelledSample, predictionPoweredMean } from "../../stats/prediction-powered-mean.js";
import { undefinedEstimate } from "../inference/intervals.js";
import type { TieOptions } from "../pairs/score-ties.js";
import { fewestLabels, type View, whyNotRandom } from "./comparison-label-check.js";
import { peoplesChoice } from "./comparison-label-choice.js";
import {
  type ComparisonRow,
  type Duel,
  duel,
  duels,
  meanOf,
  ratedOf,
  type Samples,
  type SamplesOf,
} from "./comparison-samples.js";

/** How the rows with a label were picked, as the user says. */
export const labelSamplings = ["random", "chosen"] as const;
export type LabelSampling = (typeof labelSamplings)[number];

/** An estimate on people's scale; without a value where labels can't carry one, `reason` says why. */
export interface CorrectedEstimate extends Estimate {
  /** lambda: how much of the metric went into it; 0 is labels alone. */
  readonly weight?: number;
}

export interface CorrectedPair {
  readonly a: string;
  readonly b: string;
  /** Prompts with labels of both models. */
  readonly n: number;
  /** Prompts that both have scores of. */
  readonly prompts: number;
  /** Counts of labels alone, of the labelled prompts alone. */
  readonly counted: CountedPair;
  /** People's mean of a minus that of b, estimated for all prompts. */
  readonly difference: CorrectedEstimate;
  /** The share of prompts where people find a better, ties half, estimated for all prompts. */
  readonly winRate: CorrectedEstimate;
  /** The model that people prefer significantly; null if neither. */
  readonly preferred: "a" | "b" | null;
  /** How win rate and difference of the same labels contradict each other, if they do. */
  readonly contradiction?: string;
  /**
   * Prompts still to be labelled until the interval excludes no difference, or 1/2; null where labels of
   * all prompts together would not decide it, and where the two contradict each other.
   */
  readonly labelsNeeded: { readonly difference: number | null; readonly winRate: number | null };
}

/** How people's labels of two models fall out, counted. */
export interface CountedPair {
  /** Prompts where people find a better, both the same, b better; of several images most pairs decide. */
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  /** The share of labelled prompts where people find a better, ties half, of several images all pairs. */
  readonly winRate: number | null;
  /** The mean label of a minus that of b. */
  readonly difference: number | null;
}

/** Estimates of people's ratings, from labels of some rows and the metric of all. */
export interface HumanCorrected {
  readonly sampling: LabelSampling;
  /** Rows with a label and a score. */
  readonly labels: number;
  readonly models: Readonly<
    Record<
      string,
      {
        readonly n: number;
        /** The mean of the labels themselves. */
        readonly counted: number | null;
        /** Estimated for all images. */
        readonly mean: CorrectedEstimate;
      }
    >
  >;
  readonly pairs: readonly CorrectedPair[];
  readonly method: string;
}

/**
 * Prediction-powered estimates of people's mean of each model, and of the difference and the win rate
 * of each pair, or why there are none. A mean is over images, prompts drawn as a whole; a pair is
 * over the prompts that both have scores of, labelled where both have a label. Scores tie by the
 * tolerance, ratings where they are equal.
 *
 * @returns undefined where nothing is labelled.
 */
export function humanCorrected(
  rows: readonly ComparisonRow[],
  {
    samples,
    models,
    pairs,
    sampling,
    sign,
    tieTolerance,
  }: TieOptions & {
    readonly samples: SamplesOf;
    readonly models: readonly string[];
    readonly pairs: readonly (readonly [a: string, b: string])[];
    readonly sampling: LabelSampling;
    readonly sign: 1 | -1;
  },
): HumanCorrected | undefined {
  const labels = rows.filter(({ score, human = null }) => score !== null && human !== null).length;
  if (labels === 0) return undefined;
  const settings = { samples, sampling, sign, tieTolerance };
  return {
    sampling,
    labels,
    models: Object.fromEntries(models.map((model) => [model, correctedMean(model, settings)])),
    pairs: pairs.map(([a, b]) => correctedPair(a, b, settings)),
    method:
      "prediction-powered inference (PPI++), intervals by Student's t, taking labelled prompts for a " +
      "random sample of all",
  };
}

interface Settings extends TieOptions {
  readonly samples: SamplesOf;
  readonly sampling: LabelSampling;
  readonly sign: 1 | -1;
}

const chosen = "the labels are said to be chosen, not a random sample";

function correctedMean(model: string, { samples, sampling, sign }: Settings) {
  const human: number[] = [];
  const metric: number[] = [];
  const others: number[] = [];
  const clusters = { labelled: [] as number[], others: [] as number[] };
  const view = { labelled: [] as number[], others: [] as number[] };
  [...(samples.get(model)?.values() ?? [])].forEach((each, cluster) => {
    each.scores.forEach((score, at) => {
      const rating = each.human[at] ?? null;
      if (rating === null) others.push(sign * score);
      else {
        metric.push(sign * score);
        human.push(rating);
      }
      clusters[rating === null ? "others" : "labelled"].push(cluster);
    });
    view[isRated(each) ? "labelled" : "others"].push(meanOf(each.scores));
  });
  const n = human.length;
  const counted = n === 0 ? null : meanOf(human);
  const why =
    sampling === "chosen"
      ? chosen
      : whyNotRandom(view.labelled.length, [{ name: `the scores of ${model}`, ...view }]);
  if (why !== undefined) return { n, counted, mean: undefinedEstimate(why) };
  const found = predictionPoweredMean({
    human,
    metric,
    others,
    clusters: {
      labelled: Int32Array.from(clusters.labelled),
      others: Int32Array.from(clusters.others),
    },
    largestWeight: Number.POSITIVE_INFINITY,
  });
  return { n, counted, mean: estimateOf(found) };
}

function correctedPair(
  a: string,
  b: string,
  { samples, sampling, sign, tieTolerance }: Settings,
): CorrectedPair {
  const byMetric = duels(samples, { a, b, sign, tieTolerance });
  const byPeople = new Map(
    byMetric.flatMap(({ prompt }): [string, Duel][] => {
      const [one, other] = [a, b].map((model) => ratingsOf(samples.get(model)?.get(prompt)));
      if (one === undefined || other === undefined || one.length === 0 || other.length === 0) {
        return [];
      }
      return [[prompt, duel(prompt, { one, other, sign: 1, tieTolerance: 0 })]];
    }),
  );
  const labelled = byMetric.filter(({ prompt }) => byPeople.has(prompt));
  const rest = byMetric.filter(({ prompt }) => !byPeople.has(prompt));
  const judged = [...byPeople.values()];
  const about = { a, b, n: judged.length, prompts: byMetric.length, counted: countedPair(judged) };
  const why = sampling === "chosen" ? chosen : whyNotPair(a, b, { samples, labelled, rest });
  if (why !== undefined) {
    const refused = undefinedEstimate(why);
    return {
      ...about,
      difference: refused,
      winRate: refused,
      preferred: null,
      labelsNeeded: { difference: null, winRate: null },
    };
  }
  const sampleOf = (what: (one: Duel) => number, metric: (one: Duel) => number) => ({
    human: labelled.flatMap(({ prompt }) => {
      const found = byPeople.get(prompt);
      return found === undefined ? [] : [what(found)];
    }),
    metric: labelled.map(metric),
    others: rest.map(metric),
  });
  const differences: LabelledSample = {
    ...sampleOf(
      ({ difference }) => difference,
      ({ difference }) => sign * difference,
    ),
    largestWeight: Number.POSITIVE_INFINITY,
  };
  const wins: LabelledSample = sampleOf(
    ({ win }) => win,
    ({ win }) => win,
  );
  const difference = estimateOf(predictionPoweredMean(differences));
  const winRate = estimateOf(predictionPoweredMean(wins), [0, 1]);
  const needed = (sample: LabelledSample, { value, low }: Estimate, from: number) =>
    value === null || low === null ? null : labelsNeeded(sample, { mean: value, from });
  const labels = [a, b].flatMap((model) =>
    labelled.flatMap(({ prompt }) => ratingsOf(samples.get(model)?.get(prompt)) ?? []),
  );
  const standing = peoplesChoice({ difference, winRate }, { kinds: new Set(labels).size });
  return {
    ...about,
    difference,
    winRate,
    ...standing,
    labelsNeeded:
      standing.contradiction === undefined
        ? {
            difference: needed(differences, difference, 0),
            winRate: needed(wins, winRate, 0.5),
          }
        : { difference: null, winRate: null },
  };
}

function countedPair(judged: readonly Duel[]): CountedPair {
  const count = (is: (win: number) => boolean) => judged.filter(({ win }) => is(win)).length;
  const mean = (of: (one: Duel) => number) => (judged.length === 0 ? null : meanOf(judged.map(of)));
  return {
    wins: count((win) => win > 0.5),
    ties: count((win) => win === 0.5),
    losses: count((win) => win < 0.5),
    winRate: mean(({ win }) => win),
    difference: mean(({ difference }) => difference),
  };
}

function whyNotPair(
  a: string,
  b: string,
  {
    samples,
    labelled,
    rest,
  }: {
    readonly samples: SamplesOf;
    readonly labelled: readonly Duel[];
    readonly rest: readonly Duel[];
  },
): string | undefined {
  const promptsOf = (model: string) =>
    [...(samples.get(model)?.values() ?? [])].filter(isRated).length;
  const [ofA, ofB] = [promptsOf(a), promptsOf(b)];
  if (ofA === 0 || ofB === 0) {
    const [has, lacks] = ofA === 0 ? [b, a] : [a, b];
    return ofA + ofB === 0
      ? "neither model has labels"
      : `only ${has} has labels, ${lacks} has none`;
  }
  if (labelled.length < fewestLabels && Math.min(ofA, ofB) >= fewestLabels) {
    return (
      `${labelled.length} prompts have labels of both, though ${a} has them on ${ofA} and ${b} on ${ofB}; ` +
      `${fewestLabels} or more are needed`
    );
  }
  const heights = ({ prompt }: Duel) =>
    [a, b].reduce((sum, model) => sum + meanOf(samples.get(model)?.get(prompt)?.scores ?? []), 0);
  const views: View[] = [
    {
      name: `the differences of ${a} and ${b}`,
      labelled: labelled.map(({ difference }) => difference),
      others: rest.map(({ difference }) => difference),
    },
    {
      name: `the scores of ${a} and ${b}`,
      labelled: labelled.map(heights),
      others: rest.map(heights),
    },
  ];
  return whyNotRandom(labelled.length, views);
}

const isRated = (samples: Samples) => ratedOf(samples).length > 0;

const ratingsOf = (samples: Samples | undefined) =>
  samples === undefined ? undefined : ratedOf(samples);

/** Without the standard error; a share is cut to what shares can be. */
function estimateOf(
  { value, low, high, weight, reason }: CorrectedEstimate,
  [least, most]: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): CorrectedEstimate {
  const cut = (bound: number | null) =>
    bound === null ? null : Math.min(most, Math.max(least, bound));
  return {
    value: cut(value),
    low: cut(low),
    high: cut(high),
    ...(weight === undefined ? {} : { weight }),
    ...(reason === undefined ? {} : { reason }),
  };
}
