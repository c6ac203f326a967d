import { randomFrom } from "../core/random.js";
import { chooseWeights, type Grouping, type WeightCandidate } from "../ensembles/choose-weights.js";
import { ensemblePrediction } from "../ensembles/ensemble-prediction.js";
import { labelLikelihoods } from "../ensembles/label-likelihoods.js";
import { softMembership } from "../ensembles/membership.js";
import { type Objective, objectives, promptWeights } from "../ensembles/prompt-weights.js";
import { sphericalKMeans } from "../ensembles/spherical-k-means.js";

/** Pairs that people have decided, and what prompts said of them. */
export interface FittingPairs {
  /** 1 where people prefer a, else 0. */
  readonly labels: readonly number[];
  /** P(a is better) at [pair * prompts + a], NaN for no answer. */
  readonly answers: Float64Array;
  readonly prompts: number;
  /** Of each pair, in its order and of length 1; without an embedder there is one group. */
  readonly embeddings?: readonly Float64Array[] | undefined;
}

/** What may be left to the labels. */
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
  /** Of the choice; NaN without labels. */
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
export function fitJudge(pairs: FittingPairs, options: FittingOptions): FittedJudge {
  const { prompts, labels, answers } = pairs;
  const likelihoods = labelLikelihoods({ labels, probabilities: answers, prompts });
  const groupings = groupingsOf(pairs, likelihoods.rows, options);
  const { chosen, grouping, candidates } = chooseWeights({
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
    ...{ objective: fit.objective, lambda: fit.lambda, weights: fit.weights },
    ...{ objectiveValue: fit.objectiveValue, dualityGap: fit.dualityGap },
    ...{ clusters: grouping.clusters, temperature: grouping.temperature },
    centroids: found?.centroids ?? new Float64Array(),
    leaveOneOutNll: chosen.leaveOneOutNll,
    tried: candidates,
    clipped: likelihoods.clipped,
  };
}

interface CentredGrouping extends Grouping {
  readonly centroids: Float64Array;
}

/** From one group on. */
function groupingsOf(
  { embeddings }: FittingPairs,
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
  const all = flat(embeddings);
  const most = clusters === "auto" ? Math.floor(rows.length / 2) : embeddings.length;
  const counts = (clusters === "auto" ? clustersTried : [clusters]).filter(
    (count) => count <= most,
  );
  const found = counts.flatMap((count): CentredGrouping[] => {
    if (count === 1) return [one];
    const { centroids } = sphericalKMeans({
      ...{ points: all, dimensions, clusters: count },
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

/** To which groups pairs belong: pairs x clusters. */
function membershipOf(
  { clusters, temperature, centroids }: Weighing,
  pairs: number,
  embeddings: readonly Float64Array[] | undefined,
): Float64Array {
  if (clusters === 1 || temperature === null || embeddings === undefined) {
    return new Float64Array(pairs * clusters).fill(1 / clusters);
  }
  const dimensions = centroids.length / clusters;
  return softMembership({ points: flat(embeddings), centroids, dimensions, temperature });
}

/** The ensemble's P(a is better) of each pair; NaN where no prompt that has weight answered. */
export function ensembleAnswers(
  judge: Weighing,
  { answers, prompts, embeddings }: Omit<FittingPairs, "labels">,
): Float64Array {
  const membership = membershipOf(judge, answers.length / prompts, embeddings);
  const { weights, clusters: groups } = judge;
  return ensemblePrediction({ probabilities: answers, prompts, membership, groups, weights });
}

/**
 * The weight of each prompt on each pair, v_a = sum_z p(z | x) w_za: pairs x prompts.
 *
 * @param options.embeddings of each pair; not given of one group.
 */
export function weightsOfPairs(
  judge: Weighing,
  {
    pairs,
    prompts,
    embeddings,
  }: {
    readonly pairs: number;
    readonly prompts: number;
    readonly embeddings?: readonly Float64Array[] | undefined;
  },
): Float64Array {
  const membership = membershipOf(judge, pairs, embeddings);
  const { clusters, weights } = judge;
  const all = new Float64Array(pairs * prompts);
  for (let pair = 0; pair < pairs; pair++) {
    for (let group = 0; group < clusters; group++) {
      const share = membership[pair * clusters + group] ?? 0;
      for (let prompt = 0; prompt < prompts; prompt++) {
        const at = pair * prompts + prompt;
        all[at] = (all[at] ?? 0) + share * (weights[group * prompts + prompt] ?? 0);
      }
    }
  }
  return all;
}
