import { labelLikelihoods } from "touchstone-t2i/internal/ensembles/label-likelihoods.js";
import { bestPrompt } from "touchstone-t2i/internal/ensembles/prompt-weights.js";
import type { Objective } from "touchstone-t2i/internal/ensembles/weight-problem.js";
import { type AnswerRow, answersOf, isLabelled, labelledAnswersOf } from "../ensemble/answers.js";
import { drawnLabels, drawnPrompts, type GroupedPairs, groupedPairs } from "../ensemble/draws.js";
import { chosenLabels, columns, fitWeights } from "../ensemble/grid.js";
import { answeredPrediction } from "../ensemble/prediction.js";

export interface NoPreferenceDesign {
  readonly prompts: readonly number[];
  readonly labels: readonly number[];
  readonly clusters: number;
  readonly objectives: readonly Objective[];
  readonly lambda: number;
  readonly temperature: number;
  /** How many draws of prompts, and of labels. */
  readonly seeds: { readonly training: number; readonly labels: number };
  readonly folds: number;
  readonly supportPerCluster: number;
  readonly restarts: number;
  readonly iterations: number;
  readonly seed: number;
}

/** One method's prediction of a fold's pairs in one run of one setting. */
export interface FoldPrediction {
  readonly method: string;
  readonly prompts: number;
  readonly labels: number;
  /** Number of runs it counts for; below 1 where one run is the mean over single prompts. */
  readonly share: number;
  /** P(label is 1) of each held row; the next call overwrites it. */
  readonly prediction: Float64Array;
}

/**
 * Judges `held` by every method at every setting. Weights are fitted on the labelled rows of `seen`,
 * groups of images on all of its rows.
 *
 * @param note is called with each prediction.
 */
export function judgeFold(
  {
    held,
    seen,
    fold,
    dimensions,
    design,
  }: {
    readonly held: readonly AnswerRow[];
    readonly seen: readonly AnswerRow[];
    readonly fold: number;
    readonly dimensions: number;
    readonly design: NoPreferenceDesign;
  },
  note: (judged: FoldPrediction) => void,
): void {
  const prompts = held[0]?.probabilities.length ?? 0;
  const all = Array.from({ length: prompts }, (_, prompt) => prompt);
  const test = answersOf(held, all, dimensions);
  const pool = labelledAnswersOf(seen.filter(isLabelled), all, dimensions);
  const answers = { test, pool, support: answersOf(seen, all, dimensions).embeddings, dimensions };
  const one = groupedPairs(answers, { ...design, clusters: 1, cluster: fold });
  const grouped = groupedPairs(answers, { ...design, cluster: fold });
  const prediction = new Float64Array(held.length);
  const { objectives, lambda, seeds, seed } = design;

  for (const count of design.prompts) {
    // There is one way to draw all prompts, so one draw stands for all.
    const different = count === prompts ? 1 : seeds.training;
    for (let training = 0; training < different; training++) {
      const used = drawnPrompts(prompts, { count, training, seed });
      const onTest = columns(test, prompts, used);
      const likelihoods = labelLikelihoods({
        labels: pool.labels,
        prompts: count,
        probabilities: columns(pool, prompts, used),
      });
      const alone = (prompt: number) => {
        for (let row = 0; row < prediction.length; row++) {
          prediction[row] = onTest[row * count + prompt] ?? Number.NaN;
        }
      };
      const weighed = (pairs: GroupedPairs, weights: Float64Array) =>
        answeredPrediction({
          probabilities: onTest,
          prompts: count,
          membership: pairs.test,
          groups: pairs.clusters,
        })(weights, prediction);
      for (const labels of design.labels) {
        const said = (method: string, share = 1) =>
          note({
            method,
            prompts: count,
            labels,
            prediction,
            share: share * (seeds.training / different),
          });
        for (let draw = 0; draw < seeds.labels; draw++) {
          const chosen = drawnLabels(pool, { count: labels, labels: draw, seed });
          const fitted = (pairs: GroupedPairs, objective: Objective, strength: number) => {
            const weights = new Float64Array(pairs.clusters * count);
            const problem = { likelihoods, membership: pairs.pool, groups: pairs.clusters };
            fitWeights({ ...problem, chosen }, { objective, lambda: strength }, weights);
            weighed(pairs, weights);
          };
          for (let prompt = 0; prompt < count; prompt++) {
            alone(prompt);
            said("standard", 1 / count);
          }
          alone(bestPrompt(chosenLabels(likelihoods, chosen)));
          said("best");
          weighed(one, new Float64Array(count).fill(1 / count));
          said("average");
          fitted(one, "global-entropy", 1);
          said("bpe");
          for (const objective of objectives) {
            fitted(one, objective, lambda);
            said(`bpe ${objective}`);
            fitted(grouped, objective, lambda);
            said(`mmb ${objective}`);
          }
        }
      }
    }
  }
}
