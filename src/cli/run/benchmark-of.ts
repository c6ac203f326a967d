import { InputError } from "../../core/errors.js";
import type { Recipe } from "../../files/recipe.js";

/** The benchmarks that a run can be of, the first where nobody says. */
export const benchmarks = ["prototypicality", "attribute-confusion"] as const;
export type Benchmark = (typeof benchmarks)[number];

/** Which benchmark a run holds, by the step that built it. */
export const benchmarkOf = ({ steps }: Pick<Recipe, "steps">): Benchmark =>
  steps.some(({ name }) => name === "build-descriptions")
    ? "attribute-confusion"
    : "prototypicality";

/** @throws InputError where the run holds the other benchmark already: a run is of one. */
export function refuseOtherBenchmark(recipe: Pick<Recipe, "steps">, benchmark: Benchmark): void {
  const isPreference = recipe.steps.some(({ name }) => name === "build-pairs");
  const found = isPreference ? "preference" : benchmarkOf(recipe);
  if (recipe.steps.length === 0 || found === benchmark) return;
  throw new InputError(
    `Expected a run of ${benchmark}, or a new folder, but received one of ${found}`,
    { hint: "Give another folder: --run DIR" },
  );
}
