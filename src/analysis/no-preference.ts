import { InputError } from "../core/errors.js";
import { randomFrom } from "../core/random.js";
import { bestPrompt } from "../ensembles/baselines.js";
import { labelLikelihoods } from "../ensembles/label-likelihoods.js";
import type { Objective } from "../ensembles/prompt-weights.js";
import type { Estimate } from "../stats/estimate.js";
import { type AnswerRow, answersOf } from "./ensemble-experiment-answers.js";
import { drawnLabels, drawnPrompts, groupedPairs } from "./ensemble-experiment-draws.js";
import {
  baselineMethods,
  chosenLabels,
  columns,
  fitWeights,
  mixtureMethods,
} from "./ensemble-experiment-grid.js";
import { predictAnswered } from "./ensemble-experiment-prediction.js";
import { type ConfidenceSums, preferenceCells } from "./no-preference-cells.js";

export interface NoPreferenceDesign {
  readonly prompts: readonly number[];
  readonly labels: readonly number[];
  readonly clusters: number;
  readonly objectives: readonly Objective[];
  readonly lambda: number;
  readonly temperature: number;
  /** How many of each: of draws of prompts, and of labels. */
  readonly seeds: { readonly training: number; readonly labels: number };
  readonly folds: number;
  readonly supportPerCluster: number;
  readonly restarts: number;
  readonly iterations: number;
  readonly seed: number;
}

/** Slyman et al. (2025), section 5, "MJBench", with fewer draws of labels: each is fitted ten times. */
export const paperNoPreference = {
  prompts: [5, 10, 20],
  labels: [5, 10, 20, 50],
  clusters: 16,
  seeds: { training: 3, labels: 20 },
  folds: 10,
  supportPerCluster: 256,
  restarts: 3,
  iterations: 1000,
} as const;

/** One method at one setting. */
export interface NoPreferenceCell {
  readonly method: string;
  readonly prompts: number;
  readonly labels: number;
  /** Mean max(p, 1 - p) on pairs of which neither is better: 0.5 at best. By a bootstrap of captions. */
  readonly confidence: Estimate;
  /** Share of right answers on held-out pairs of an image and its degraded copy. */
  readonly accuracy: Estimate;
  /** The lowest confidence of its setting. */
  readonly isBest: boolean;
  /** Of a paired test by caption against the lowest, over all tests adjusted; null for it. */
  readonly pAdjusted: number | null;
}

export interface NoPreferenceConclusion {
  readonly cells: readonly NoPreferenceCell[];
  readonly methods: readonly string[];
  readonly design: NoPreferenceDesign;
  /** Pairs of which neither is better. */
  readonly n: number;
  /** Pairs of an image and its degraded copy. */
  readonly degraded: number;
  readonly captions: number;
  readonly folds: number;
  readonly unscored: number;
  readonly permutations: number;
  readonly resamples: number;
  readonly warnings: readonly string[];
}

/**
 * How sure ensembles are of pairs of which neither image is better, when their weights are fitted on
 * pairs of an image and a degraded copy of it: captions are dealt into folds, and each fold's equal
 * pairs are judged by weights that saw none of its captions. Confidence that is low because nothing is
 * ever preferred is worth little, so accuracy on the held-out degraded pairs stands beside it.
 *
 * @param rows with a label: degraded pairs; without one: equal ones. `group` is the caption.
 * @throws InputError where either kind is missing, or there are fewer than two captions.
 */
export function noPreference(
  rows: readonly AnswerRow[],
  design: NoPreferenceDesign,
  {
    resamples = 1000,
    permutations = 10_000,
  }: { readonly resamples?: number; readonly permutations?: number } = {},
): NoPreferenceConclusion {
  const whole = rows.filter(({ probabilities }) => probabilities.every((each) => each !== null));
  const prompts = rows[0]?.probabilities.length ?? 0;
  const captions = [...new Set(whole.map(({ group }) => group ?? ""))].sort();
  const equal = whole.filter(({ label }) => label === null);
  const degraded = whole.filter(({ label }) => label !== null);
  if (equal.length === 0 || degraded.length < 2 || captions.length < 2) {
    throw new InputError(
      `Expected pairs without a label (neither is better), pairs with one (an image and its degraded copy) and two captions or more but received ${equal.length}, ${degraded.length} and ${captions.length}`,
      { hint: "The caption of each row stands in its column prompt or group." },
    );
  }
  const dimensions = whole.every(
    ({ embedding }) => embedding?.length === whole[0]?.embedding?.length,
  )
    ? (whole[0]?.embedding?.length ?? 0)
    : 0;
  const folds = Math.min(design.folds, captions.length);
  const foldOf = new Map(
    randomFrom(design.seed, "no preference", "folds")
      .shuffle(captions)
      .map((caption, at) => [caption, at % folds] as const),
  );
  const allPrompts = Array.from({ length: prompts }, (_, prompt) => prompt);
  const methods = [...baselineMethods(design), ...mixtureMethods(design)];
  const settings = design.prompts.flatMap((count) =>
    design.labels.flatMap((labels) =>
      methods.map((method) => ({ method, prompts: count, labels })),
    ),
  );
  const sums: ConfidenceSums[] = settings.map((setting) => ({
    ...setting,
    confidence: new Float64Array(captions.length),
    right: new Float64Array(captions.length),
  }));
  const sumsOf = new Map(
    sums.map((each) => [`${each.method} ${each.prompts} ${each.labels}`, each]),
  );
  const numberOf = new Map(captions.map((caption, at) => [caption, at]));
  const flat = (some: readonly AnswerRow[]) => answersOf(some, allPrompts, dimensions);

  for (let fold = 0; fold < folds; fold++) {
    const isHeld = ({ group }: AnswerRow) => foldOf.get(group ?? "") === fold;
    const heldEqual = equal.filter(isHeld);
    const held = [...heldEqual, ...degraded.filter(isHeld)];
    const seen = whole.filter((row) => !isHeld(row));
    const test = flat(held);
    const pool = flat(seen.filter(({ label }) => label !== null));
    if (held.length === 0 || pool.labels.length === 0) continue;
    const answers = {
      ...{ prompts, promptNumbers: allPrompts, dimensions, test, pool },
      ...{ support: flat(seen).embeddings, unscored: 0, warnings: [] },
    };
    const one = groupedPairs(answers, { ...design, clusters: 1, cluster: fold });
    const grouped = groupedPairs(answers, { ...design, cluster: fold });
    const caption = Int32Array.from(held, ({ group }) => numberOf.get(group ?? "") ?? 0);
    const prediction = new Float64Array(held.length);
    const note = (method: string, count: number, labels: number, share = 1) => {
      const into = sumsOf.get(`${method} ${count} ${labels}`);
      if (into === undefined) return;
      for (let row = 0; row < prediction.length; row++) {
        const p = prediction[row] ?? 0.5;
        const at = caption[row] ?? 0;
        if (row < heldEqual.length) {
          into.confidence[at] = (into.confidence[at] ?? 0) + share * Math.max(p, 1 - p);
        } else if ((p >= 0.5 ? 1 : 0) === test.labels[row]) {
          into.right[at] = (into.right[at] ?? 0) + share;
        }
      }
    };
    for (const count of design.prompts) {
      for (let training = 0; training < design.seeds.training; training++) {
        const used = drawnPrompts(prompts, { count, training, seed: design.seed });
        const onTest = columns(test, prompts, used);
        const likelihoods = labelLikelihoods({
          ...{ labels: pool.labels, prompts: count },
          probabilities: columns(pool, prompts, used),
        });
        const alone = (prompt: number) => {
          for (let row = 0; row < prediction.length; row++) {
            prediction[row] = onTest[row * count + prompt] ?? 0.5;
          }
        };
        const predicted = (pairs: typeof one, weights: Float64Array) =>
          predictAnswered(
            {
              ...{ probabilities: onTest, prompts: count, membership: pairs.test },
              ...{ groups: pairs.clusters, weights },
            },
            prediction,
          );
        for (const labels of design.labels) {
          for (let draw = 0; draw < design.seeds.labels; draw++) {
            const chosen = drawnLabels(pool, { count: labels, labels: draw, seed: design.seed });
            const fitted = (pairs: typeof one, objective: Objective, lambda: number) => {
              const weights = new Float64Array(pairs.clusters * count);
              fitWeights(
                { likelihoods, membership: pairs.pool, groups: pairs.clusters, chosen },
                { objective, lambda },
                weights,
              );
              predicted(pairs, weights);
            };
            for (let prompt = 0; prompt < count; prompt++) {
              alone(prompt);
              note("standard", count, labels, 1 / count);
            }
            alone(bestPrompt(chosenLabels(likelihoods, chosen)));
            note("best", count, labels);
            predicted(one, new Float64Array(count).fill(1 / count));
            note("average", count, labels);
            fitted(one, "global-entropy", 1);
            note("bpe", count, labels);
            for (const objective of design.objectives) {
              fitted(one, objective, design.lambda);
              note(`bpe ${objective}`, count, labels);
              fitted(grouped, objective, design.lambda);
              note(`mmb ${objective}`, count, labels);
            }
          }
        }
      }
    }
  }
  const perCaption = (some: readonly AnswerRow[]) => {
    const counts = new Float64Array(captions.length);
    for (const { group } of some) {
      const at = numberOf.get(group ?? "") ?? 0;
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts;
  };
  const unscored = rows.length - whole.length;
  return {
    cells: preferenceCells(sums, {
      ...{ equal: perCaption(equal), degraded: perCaption(degraded), resamples, permutations },
      runs: design.seeds.training * design.seeds.labels,
    }),
    ...{ methods, design, n: equal.length, degraded: degraded.length, captions: captions.length },
    ...{ folds, unscored, permutations, resamples },
    warnings: [
      ...(unscored === 0 ? [] : [`${unscored} pairs lack an answer and are left out`]),
      ...(dimensions === 0 ? ["there are no embeddings, so that all pairs are one group"] : []),
      ...(folds < design.folds
        ? [`${captions.length} captions make ${folds} folds, not ${design.folds}`]
        : []),
    ],
  };
}
