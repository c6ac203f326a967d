import { glad } from "./glad.js";
import { mace } from "./mace.js";
import { ordinal } from "./ordinal.js";
import {
  byConfusion,
  confusionCounts,
  type FitOptions,
  type FittedRaters,
  fitRaters,
  normalise,
  type RaterTable,
} from "./rater-model.js";

/** Models of raters, the simplest first. */
export const raterModels = ["majority", "mace", "glad", "ordinal", "dawid-skene"] as const;
export type RaterModelName = (typeof raterModels)[number];

type Fit = (table: RaterTable, options?: FitOptions) => FittedRaters;

const fits: Readonly<Record<RaterModelName, Fit>> = {
  majority: (table, options) => fitRaters(majority(), table, options),
  mace: (table, options) => fitRaters(mace(), table, options),
  glad: (table, options) => fitRaters(glad(), table, options),
  ordinal: (table, options) => fitRaters(ordinal(), table, options),
  "dawid-skene": (table, options) => fitRaters(dawidSkene(), table, options),
};

export const fitOf = (name: RaterModelName): Fit => fits[name];

/** Answers that are added to what a pool of raters has right, spread over the categories. */
const smoothing = 1;

/**
 * Majority vote as a model of raters: all are alike, right with one probability, and their errors are spread evenly. Its
 * posterior grows with the votes, whoever gave them.
 */
const majority = () =>
  byConfusion<{ readonly right: number; readonly raters: number; readonly categories: number }>({
    learnsShares: false,
    maximise(table, right) {
      const { categories, raters } = table;
      const counts = confusionCounts(table, right);
      let [all, same] = [smoothing, smoothing / categories];
      for (let at = 0; at < counts.length; at++) {
        const count = counts[at] ?? 0;
        all += count;
        if (at % categories === Math.floor(at / categories) % categories) same += count;
      }
      return { right: same / all, raters, categories };
    },
    probabilities({ right, raters, categories }) {
      const wrong = (1 - right) / (categories - 1);
      return Float64Array.from({ length: raters * categories * categories }, (_, at) =>
        at % categories === Math.floor(at / categories) % categories ? right : wrong,
      );
    },
  });

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
