import { fewClusters } from "../inference/few-clusters.js";
import type { IntervalMethod } from "../inference/intervals.js";
import type { FittedMethods } from "./ensemble-methods.js";
import type { EnsembleData } from "./ensemble-rows.js";

/** Fewer labels say little of ten prompts, and next to nothing of which objective is better. */
const fewLabels = 20;
const largestGap = 1e-8;
/** The same limits as `analyze calibration`: docs/intervals.md. */
const enoughForErrors = 1000;

/** Caveats of a comparison of ensembles, a sentence each. */
export function ensembleWarnings(
  { validation, test, dimensions, groups, support }: EnsembleData,
  {
    fitted: { fits, choice, grouping, likelihoods },
    silentPrompts,
    intervals,
  }: {
    readonly fitted: FittedMethods;
    readonly silentPrompts: readonly number[];
    readonly intervals: IntervalMethod;
  },
): string[] {
  const warnings: string[] = [];
  const { rows: labels } = validation;
  if (labels === 0) {
    warnings.push(
      "no row of split validation has a label: all weights are uniform, and best is the first prompt",
    );
  } else if (new Set(validation.labels).size === 1) {
    warnings.push(
      `all ${labels} labels to fit on are ${validation.labels[0]}: weights favour prompts that always give that answer`,
    );
  }
  if (labels > 0 && labels < fewLabels) {
    warnings.push(
      `weights come from ${count(labels, "label")} only; other labels would give other weights`,
    );
  }
  if (labels > 0 && choice.candidates.length > 1) {
    warnings.push(
      `${choice.candidates.length} ways to fit were compared by ${count(labels, "label")} left out` +
        `${choice.folds < labels ? ` in ${choice.folds} parts` : " one by one"}: the choice of the best is uncertain`,
    );
  }
  if (dimensions === 0 && groups === 0) {
    warnings.push(
      "there are no embeddings and no memberships: all images are one group, and mmb is bpe",
    );
  } else if (grouping.clusters === 1) {
    warnings.push("one group of images was chosen, so that mmb is bpe");
  }
  if (dimensions > 0 && support.length === 0 && grouping.clustering !== null) {
    warnings.push(
      "there are no support rows: groups were found on the images of the labels themselves",
    );
  }
  if (grouping.clustering?.converged === false) {
    warnings.push("k-means did not converge; its last groups are used");
  }
  const { dualityGap } = fits.mmb;
  if (dualityGap !== null && dualityGap > largestGap) {
    warnings.push(
      `the weights of mmb may lie ${dualityGap.toPrecision(2)} below the best objective value: a larger lambda is easier to fit`,
    );
  }
  if (silentPrompts.length > 0) {
    const names = silentPrompts.map((prompt) => prompt + 1).join(", ");
    warnings.push(
      `${silentPrompts.length === 1 ? "prompt" : "prompts"} ${names} answered none of the labels and ` +
        `${silentPrompts.length === 1 ? "has" : "have"} weight 0`,
    );
  }
  if (likelihoods.unanswered > 0) {
    warnings.push(
      `${count(likelihoods.unanswered, "answer")} to labels ${likelihoods.unanswered === 1 ? "is" : "are"} missing; ` +
        "each counts as the mean of the others' on its row",
    );
  }
  const missing = test.probabilities.reduce((sum, p) => sum + (Number.isNaN(p) ? 1 : 0), 0);
  if (missing > 0) {
    warnings.push(
      `${count(missing, "answer")} to test rows ${missing === 1 ? "is" : "are"} missing; there the prompts that answered share the weight`,
    );
  }
  if (likelihoods.clipped > 0) {
    warnings.push(
      `${count(likelihoods.clipped, "answer")} gave what is right a probability below 1e-15 and ` +
        `${likelihoods.clipped === 1 ? "counts" : "count"} as 1e-15`,
    );
  }
  const lost = validation.unscored + test.unscored;
  if (lost > 0) {
    warnings.push(
      `${count(lost, "row")} without a label or any answer ${lost === 1 ? "is" : "are"} unscored and excluded`,
    );
  }
  const bare = validation.withoutEmbedding + test.withoutEmbedding;
  if (bare > 0) {
    warnings.push(
      `${count(bare, "row")} without an embedding ${bare === 1 ? "belongs" : "belong"} to all groups equally`,
    );
  }
  if (test.rows < enoughForErrors) {
    warnings.push(
      `ECE and MCE of ${count(test.rows, "row")} are biased upwards with so few rows, and so are their intervals`,
    );
  }
  return [...warnings, ...fewClusters(intervals)];
}

const count = (n: number, one: string) =>
  `${n.toLocaleString("en-US")} ${n === 1 ? one : `${one}s`}`;
