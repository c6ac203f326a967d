import type { Estimate } from "../../stats/estimate.js";
import { type LabelledSample, labelsNeeded } from "../../stats/prediction-powered.js";
import { undefinedEstimate } from "../inference/intervals.js";
import type { TieOptions } from "../pairs/score-ties.js";
import {
  cellsOf,
  type Duel,
  type Duels,
  duel,
  duels,
  hasRating,
  meanOf,
  ratedOf,
  type Samples,
  scoresOf,
  sumOf,
} from "./comparison-samples.js";
import { fewestLabels, type View, whyNotRandom } from "./comparison-warnings.js";
import {
  drawsAt,
  estimated,
  type LabelSampling,
  plannedNeeded,
  whyNotDrawn,
} from "./drawn-labels.js";
import { peoplesChoice } from "./people-preference.js";

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
  /** Planned: drawn by `label plan`. */
  readonly sampling: LabelSampling | "planned";
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
  samples: Samples,
  {
    pairs,
    ...settings
  }: Settings & { readonly pairs: readonly (readonly [a: number, b: number])[] },
): HumanCorrected | undefined {
  const { models } = samples;
  const { sampling } = settings;
  let labels = 0;
  for (const rating of samples.human) if (!Number.isNaN(rating)) labels += 1;
  if (labels === 0) return undefined;
  return {
    sampling: samples.draws === undefined ? sampling : "planned",
    labels,
    models: Object.fromEntries(
      models.map((name, model) => [name, correctedMean(samples, model, settings)]),
    ),
    pairs: pairs.map((pair) => correctedPair(samples, pair, settings)),
    method:
      samples.draws !== undefined
        ? plannedMethod
        : "prediction-powered inference (PPI++), intervals by Student's t, taking labelled prompts for a " +
          "random sample of all",
  };
}

interface Settings extends TieOptions {
  readonly sampling: LabelSampling;
  readonly sign: 1 | -1;
}

const plannedMethod =
  "labels weighted by 1 / probability of their draw (active statistical inference, Hájek estimates), intervals by " +
  "Student's t over strata; with the scores of rows without a label, where the table has them (prediction-powered)";

const chosen = "the labels are said to be chosen, not a random sample";

function correctedMean(samples: Samples, model: number, { sampling, sign }: Settings) {
  const human: number[] = [];
  const metric: number[] = [];
  const others: number[] = [];
  const clusters = { labelled: [] as number[], others: [] as number[] };
  const view = { labelled: [] as number[], others: [] as number[] };
  const places: number[] = [];
  for (const [cluster, cell] of cellsInTurn(samples, model).entries()) {
    for (let at = samples.from[cell] ?? 0; at < (samples.from[cell + 1] ?? 0); at++) {
      const score = samples.scores[at] ?? 0;
      const rating = samples.human[at] ?? Number.NaN;
      const isLabelled = !Number.isNaN(rating);
      if (isLabelled) {
        metric.push(sign * score);
        human.push(rating);
        places.push(at);
      } else others.push(sign * score);
      clusters[isLabelled ? "labelled" : "others"].push(cluster);
    }
    const mean = meanOf(scoresOf(samples, cell));
    view[hasRating(samples, cell) ? "labelled" : "others"].push(mean);
  }
  const n = human.length;
  const counted = n === 0 ? null : meanOf(human);
  const draws = drawsAt(samples, places, { sampling, of: n + others.length });
  const why =
    draws !== undefined
      ? whyNotRandom(view.labelled.length, [])
      : sampling === "chosen"
        ? chosen
        : whyNotRandom(view.labelled.length, [
            { name: `the scores of ${samples.models[model]}`, ...view },
          ]);
  if (why !== undefined) return { n, counted, mean: undefinedEstimate(why) };
  const sample = {
    human,
    metric,
    others: samples.weights === undefined ? others : [],
    clusters: {
      labelled: Int32Array.from(clusters.labelled),
      others: Int32Array.from(clusters.others),
    },
    largestWeight: Number.POSITIVE_INFINITY,
  };
  return { n, counted, mean: estimateOf(estimated(sample, draws)) };
}

/** A model's cells in the order of their first rows. */
function cellsInTurn(samples: Samples, model: number): Int32Array {
  const { from, to } = cellsOf(samples, model);
  const first = (cell: number) => samples.rowOf[samples.from[cell] ?? 0] ?? 0;
  return Int32Array.from({ length: to - from }, (_, at) => from + at).sort(
    (one, other) => first(one) - first(other),
  );
}

function correctedPair(
  samples: Samples,
  couple: readonly [a: number, b: number],
  { sampling, sign, tieTolerance }: Settings,
): CorrectedPair {
  const [a = "", b = ""] = couple.map((model) => samples.models[model]);
  const byMetric = duels(samples, couple, { sign, tieTolerance });
  const byPeople: Duel[] = [];
  const labelled: number[] = [];
  const rest: number[] = [];
  const kinds = new Set<number>();
  for (let at = 0; at < byMetric.prompt.length; at++) {
    const [one, other] = byMetric.cells.map((cells) => cells[at] ?? 0) as [number, number];
    if (!(hasRating(samples, one) && hasRating(samples, other))) {
      rest.push(at);
      continue;
    }
    const ratings = [ratedOf(samples, one), ratedOf(samples, other)] as const;
    labelled.push(at);
    byPeople.push(
      samples.areProbabilities
        ? expectedDuel(...ratings)
        : duel(...ratings, { sign: 1, tieTolerance: 0 }),
    );
    for (const rating of [...ratings[0], ...ratings[1]]) kinds.add(rating);
  }
  const [firstCells] = byMetric.cells;
  const places = labelled.map((at) => samples.from[firstCells[at] ?? 0] ?? 0);
  const draws = drawsAt(samples, places, { sampling, of: byMetric.prompt.length });
  const about = {
    a,
    b,
    n: byPeople.length,
    prompts: Math.round(sumOf(byMetric.weight ?? byMetric.win.map(() => 1))),
    counted: countedPair(byPeople),
  };
  const why =
    draws !== undefined
      ? whyNotDrawn(samples, byMetric, labelled)
      : sampling === "chosen"
        ? chosen
        : whyNotPair(samples, couple, { byMetric, labelled, others: rest });
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
  const sampleOf = (what: (one: Duel) => number, metric: (at: number) => number) => ({
    human: byPeople.map(what),
    metric: labelled.map(metric),
    others: samples.weights === undefined ? rest.map(metric) : [],
  });
  const differences: LabelledSample = {
    ...sampleOf(
      ({ difference }) => difference,
      (at) => sign * (byMetric.difference[at] ?? 0),
    ),
    largestWeight: Number.POSITIVE_INFINITY,
  };
  const wins: LabelledSample = sampleOf(
    ({ win }) => win,
    (at) => byMetric.win[at] ?? 0,
  );
  const difference = estimateOf(estimated(differences, draws));
  // What is still needed is told by the whole interval, also by what of it is cut off.
  const uncut = estimated(wins, draws);
  const winRate = estimateOf(uncut, [0, 1]);
  const needed = (sample: LabelledSample, estimate: Estimate, from: number) => {
    const { value, low } = estimate;
    if (value === null || low === null) return null;
    return draws === undefined
      ? labelsNeeded(sample, { mean: value, from })
      : plannedNeeded(estimate, { from, labels: about.n, of: about.prompts });
  };
  const standing = peoplesChoice(
    { difference, winRate },
    { kinds: samples.areProbabilities ? 2 : kinds.size },
  );
  return {
    ...about,
    difference,
    winRate,
    ...standing,
    labelsNeeded:
      standing.contradiction === undefined
        ? {
            difference: needed(differences, difference, 0),
            winRate: needed(wins, uncut, 0.5),
          }
        : { difference: null, winRate: null },
  };
}

/** The duel that is expected of images whose answers are yes with these probabilities, each by itself. */
function expectedDuel(one: ArrayLike<number>, other: ArrayLike<number>): Duel {
  const [a, b] = [meanOf(one), meanOf(other)];
  return { difference: a - b, win: 0.5 + (a - b) / 2, tie: a * b + (1 - a) * (1 - b) };
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
  samples: Samples,
  couple: readonly [a: number, b: number],
  {
    byMetric,
    labelled,
    others,
  }: {
    readonly byMetric: Duels;
    /** Which of the duels are of labelled prompts. */
    readonly labelled: readonly number[];
    readonly others: readonly number[];
  },
): string | undefined {
  const promptsOf = (model: number) => {
    const { from, to } = cellsOf(samples, model);
    let count = 0;
    for (let cell = from; cell < to; cell++) if (hasRating(samples, cell)) count += 1;
    return count;
  };
  const [a = "", b = ""] = couple.map((model) => samples.models[model]);
  const [ofA = 0, ofB = 0] = couple.map(promptsOf);
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
  const height = (at: number) =>
    byMetric.cells.reduce((sum, cells) => sum + meanOf(scoresOf(samples, cells[at] ?? 0)), 0);
  const difference = (at: number) => byMetric.difference[at] ?? 0;
  const views: View[] = [
    {
      name: `the differences of ${a} and ${b}`,
      labelled: labelled.map(difference),
      others: others.map(difference),
    },
    {
      name: `the scores of ${a} and ${b}`,
      labelled: labelled.map(height),
      others: others.map(height),
    },
  ];
  return whyNotRandom(labelled.length, views);
}

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
