import { dawidSkene } from "./dawid-skene.js";
import { glad } from "./glad.js";
import { mace } from "./mace.js";
import { ordinal } from "./ordinal.js";
import {
  byConfusion,
  confusionCounts,
  type FitOptions,
  type FittedRaters,
  fitRaters,
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
