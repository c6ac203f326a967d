import { held } from "../../../benchmarks/step-kind.js";
import { stepOfRecipe } from "../../../benchmarks/step-kinds.js";
import type { RecipeStep } from "../../../core/recipe.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type AnyStep, stepId } from "../../../core/step.js";
import type { Making } from "../../command-line/command.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import type { Environment } from "../../environment.js";
import type { Hosting } from "../../models/hosting.js";
import { recipeSources } from "./recipe-sources.js";

/** Makes the steps of a run's recipe again. */
export function stepMaker(
  opened: RecordStore,
  {
    making,
    settings,
    hosting,
    environment,
  }: {
    readonly making: Making | undefined;
    readonly settings: Configuration;
    readonly hosting: Hosting;
    readonly environment: Environment;
  },
): {
  /** @throws InputError where the recipe, or this machine, lacks something that the step needs */
  readonly stepOf: (described: RecipeStep) => Promise<AnyStep>;
  /** How many calls the models of the steps made so far take at once. */
  readonly callsAtOnce: () => number;
} {
  const { recipe } = opened;
  const sources = recipeSources(recipe, { settings, hosting });
  const people = async (study: string, block: string) => {
    const { stepOfPeople } = await import("../score/score-people.js");
    return stepOfPeople(opened, { study, block, ...environment });
  };
  const ownSteps = making?.steps?.(opened) ?? [];
  const byVerb = async (described: RecipeStep) => {
    const id = stepId(described);
    return held(
      ownSteps.find((step) => stepId(step) === id),
      `all that step ${id} needs`,
    );
  };
  return {
    stepOf: (described) =>
      stepOfRecipe(recipe, described, { ...sources, run: opened, people, byVerb }),
    callsAtOnce: () => Math.max(sources.callsAtOnce(), making?.callsAtOnce ?? 0),
  };
}
