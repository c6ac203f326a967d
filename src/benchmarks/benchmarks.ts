import type { Recipe } from "../core/recipe.js";
import { attributeConfusion } from "./attribute-confusion/benchmark.js";
import type { Benchmark } from "./benchmark.js";
import { preference } from "./preference/benchmark.js";
import { prototypicality } from "./prototypicality/benchmark.js";
import { stereotypes } from "./stereotypes/benchmark.js";

/** All benchmarks; `build` takes the first where none is named. */
export const benchmarks: readonly [Benchmark, ...Benchmark[]] = [
  prototypicality,
  attributeConfusion,
  preference,
  stereotypes,
];

/** The benchmark of a run; undefined where it holds something else, such as a judge's answers. */
export const benchmarkOf = (recipe: Pick<Recipe, "steps">): Benchmark | undefined =>
  benchmarks.find((benchmark) => benchmark.recognises(recipe));
