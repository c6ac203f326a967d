import { dawidSkene } from "./dawid-skene.js";
import { glad } from "./glad.js";
import { mace } from "./mace.js";
import { majority } from "./majority.js";
import { ordinal } from "./ordinal.js";
import { type FitOptions, type FittedRaters, fitRaters, type RaterTable } from "./rater-model.js";

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
