import { byConfusion, confusionCounts, normalise } from "./rater-model.js";

/** No answer is less probable. */
const leastProbable = 1e-10;

/**
 * Dawid and Skene's model (Applied Statistics 28, 1979): each rater has a matrix of how often they give each answer
 * where each is right.
 *
 * @param smoothing answers that are added to each row of a matrix, spread evenly. 0 is maximum likelihood, by which
 *   an answer that a rater never gave is impossible.
 */
export const dawidSkene = (smoothing = 1) =>
  byConfusion<Float64Array>({
    learnsShares: true,
    maximise(table, right) {
      const { categories } = table;
      const counts = confusionCounts(table, right);
      const added = Math.max(smoothing / categories, leastProbable);
      for (let at = 0; at < counts.length; at++) {
        counts[at] = smoothing === 0 ? Math.max(counts[at] ?? 0, added) : (counts[at] ?? 0) + added;
      }
      for (let row = 0; row < counts.length; row += categories) normalise(counts, row, categories);
      return counts;
    },
    probabilities: (confusions) => confusions,
  });
