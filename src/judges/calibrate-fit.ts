import { randomFrom } from "../core/random.js";
import {
  choosingWeights,
  type Grouping,
  toTheEnd,
  type WeightCandidate,
} from "../ensembles/choose-weights.js";
import { labelLikelihoods } from "../ensembles/label-likelihoods.js";
import { softMembership } from "../ensembles/membership.js";
import { ensemblePrediction, promptWeights } from "../ensembles/prompt-weights.js";
import { sphericalKMeans } from "../ensembles/spherical-k-means.js";
import { type Objective, objectives } from "../ensembles/weight-problem.js";
import { type AnswerKind, twoAnswers } from "./answer-kind.js";

/** Items that people have decided, and what prompts said of them. */
export interface FittingItems {
  /** 1 where people prefer a or say yes, else 0; of ratings the rating, from 1 up. */
  readonly labels: readonly number[];
  /**
   * P(label is 1) at [item * prompts + a]; of ratings the probabilities of all of them from
   * [(item * prompts + a) * ratings] on. NaN for no answer.
   */
  readonly answers: Float64Array;
  readonly prompts: number;
  /** Default: one of two. */
  readonly kind?: AnswerKind | undefined;
  /** Embedding of each item, in its order and of length 1; without an embedder there is one group. */
  readonly embeddings?: readonly Float64Array[] | undefined;
  /** Embeddings of further items, without labels, that groups are found among too. */
  readonly support?: readonly Float64Array[] | undefined;
}

/** Settings that may be left to the labels. */
export interface FittingOptions {
  readonly objective: Objective | "auto";
  readonly clusters: number | "auto";
  readonly temperature?: number | undefined;
  readonly lambda?: number | undefined;
  readonly seed: number;
}

/** Weights of prompts by group, and how groups are told. */
export interface FittedJudge {
  readonly objective: Objective;
  readonly lambda: number;
  readonly objectiveValue: number;
  readonly dualityGap: number;
  readonly clusters: number;
  readonly temperature: number | null;
  /** clusters x dimensions, flat; empty of one group. */
  readonly centroids: Float64Array;
  /** clusters x prompts, flat. */
  readonly weights: Float64Array;
  /** Leave-one-out loss of the choice; NaN without labels. */
  readonly leaveOneOutNll: number;
  readonly tried: readonly WeightCandidate[];
  /** Likelihoods that were below 1e-15. */
  readonly clipped: number;
}

const clustersTried = [1, 2, 4, 8, 16];
const temperaturesTried = [0.05, 0.2];

/**
 * Fits weights of prompts to labels. What is `auto` is chosen by the leave-one-out likelihood: the
 * objective, lambda, the number of groups (1 to 16, two labels a group at least) and how soft they are.
 */
export const fitJudge = (items: FittingItems, options: FittingOptions): FittedJudge =>
  toTheEnd(fittingJudge(items, options));

/** The same, a candidate of the choice at a time: yields the share of them that has been tried. */
export function* fittingJudge(
  items: FittingItems,
  options: FittingOptions,
): Generator<number, FittedJudge> {
  const likelihoods = likelihoodsOf(items);
  const groupings = groupingsOf(items, likelihoods.rows, options);
  const { chosen, grouping, candidates } = yield* choosingWeights({
    likelihoods,
    groupings,
    objectives: options.objective === "auto" ? objectives : [options.objective],
    ...(options.lambda === undefined ? {} : { lambdas: [options.lambda] }),
  });
  const found = groupings.find((one) => one === grouping);
  const fit = promptWeights(
    { likelihoods, membership: grouping.membership, groups: grouping.clusters },
    { objective: chosen.objective, lambda: chosen.lambda },
  );
  return {
    objective: fit.objective,
    lambda: fit.lambda,
    weights: fit.weights,
    objectiveValue: fit.objectiveValue,
    dualityGap: fit.dualityGap,
    clusters: grouping.clusters,
    temperature: grouping.temperature,
    centroids: found?.centroids ?? new Float64Array(),
    leaveOneOutNll: chosen.leaveOneOutNll,
    tried: candidates,
    clipped: likelihoods.clipped,
  };
}

/** How likely each prompt held what people said: the objectives know a label by nothing else. */
function likelihoodsOf({ labels, answers, prompts, kind = twoAnswers }: FittingItems) {
  const { width } = kind;
  const probabilities = Float64Array.from({ length: labels.length * prompts }, (_, at) =>
    kind.likelihood(
      answers.subarray(at * width, (at + 1) * width),
      labels[Math.floor(at / prompts)] ?? Number.NaN,
    ),
  );
  return labelLikelihoods({ labels: labels.map(() => 1), probabilities, prompts });
}

interface CentredGrouping extends Grouping {
  readonly centroids: Float64Array;
}

/** From one group on. */
function groupingsOf(
  { embeddings, support = [] }: FittingItems,
  rows: Int32Array,
  { clusters, temperature, seed }: FittingOptions,
): CentredGrouping[] {
  const one: CentredGrouping = {
    clusters: 1,
    temperature: null,
    membership: new Float64Array(rows.length).fill(1),
    centroids: new Float64Array(),
  };
  const dimensions = embeddings?.[0]?.length ?? 0;
  if (embeddings === undefined || dimensions === 0) return [one];
  const points = flat(Array.from(rows, (row) => embeddings[row] ?? new Float64Array(dimensions)));
  const grouped = [...embeddings, ...support];
  const all = flat(grouped);
  const most = clusters === "auto" ? Math.floor(rows.length / 2) : grouped.length;
  const counts = (clusters === "auto" ? clustersTried : [clusters]).filter(
    (count) => count <= most,
  );
  const found = counts.flatMap((count): CentredGrouping[] => {
    if (count === 1) return [one];
    const { centroids } = sphericalKMeans({
      points: all,
      dimensions,
      clusters: count,
      random: randomFrom(seed, "groups", count),
    });
    return (temperature === undefined ? temperaturesTried : [temperature]).map((softness) => ({
      clusters: count,
      temperature: softness,
      centroids,
      membership: softMembership({ points, centroids, dimensions, temperature: softness }),
    }));
  });
  return found.length === 0 ? [one] : found;
}

function flat(rows: readonly Float64Array[]): Float64Array {
  const dimensions = rows[0]?.length ?? 0;
  const all = new Float64Array(rows.length * dimensions);
  rows.forEach((row, at) => {
    all.set(row, at * dimensions);
  });
  return all;
}

/** Weights and groups, as a fitted or a saved judge has them. */
export type Weighing = Pick<FittedJudge, "clusters" | "temperature" | "centroids" | "weights">;

/** To which groups items belong: items x clusters. */
function membershipOf(
  { clusters, temperature, centroids }: Weighing,
  items: number,
  embeddings: readonly Float64Array[] | undefined,
): Float64Array {
  if (clusters === 1 || temperature === null || embeddings === undefined) {
    return new Float64Array(items * clusters).fill(1 / clusters);
  }
  const dimensions = centroids.length / clusters;
  return softMembership({ points: flat(embeddings), centroids, dimensions, temperature });
}

/**
 * The ensemble's answer to each item, as many numbers as an answer of its kind has; NaN where no prompt
 * that has weight answered. Of ratings each one's probability is mixed as P(a is better) is of pairs.
 */
export function ensembleAnswers(
  judge: Weighing,
  { answers, prompts, embeddings, kind = twoAnswers }: Omit<FittingItems, "labels">,
): Float64Array[] {
  const { width } = kind;
  const items = answers.length / (prompts * width);
  const membership = membershipOf(judge, items, embeddings);
  const { weights, clusters: groups } = judge;
  const columns = Array.from({ length: width }, (_, column) => {
    const probabilities =
      width === 1
        ? answers
        : Float64Array.from(
            { length: items * prompts },
            (_, at) => answers[at * width + column] ?? Number.NaN,
          );
    return ensemblePrediction({ probabilities, prompts, membership, groups, weights });
  });
  return Array.from({ length: items }, (_, item) =>
    Float64Array.from(columns, (column) => column[item] ?? Number.NaN),
  );
}

/**
 * The weight of each prompt on each item, v_a = sum_z p(z | x) w_za: items x prompts.
 *
 * @param options.embeddings of each item; not given of one group.
 */
export function weightsOfItems(
  judge: Weighing,
  {
    items,
    prompts,
    embeddings,
  }: {
    readonly items: number;
    readonly prompts: number;
    readonly embeddings?: readonly Float64Array[] | undefined;
  },
): Float64Array {
  const membership = membershipOf(judge, items, embeddings);
  const { clusters, weights } = judge;
  const all = new Float64Array(items * prompts);
  for (let item = 0; item < items; item++) {
    for (let group = 0; group < clusters; group++) {
      const share = membership[item * clusters + group] ?? 0;
      for (let prompt = 0; prompt < prompts; prompt++) {
        const at = item * prompts + prompt;
        all[at] = (all[at] ?? 0) + share * (weights[group * prompts + prompt] ?? 0);
      }
    }
  }
  return all;
}
