import { expect, test } from "vitest";
import { stepOfRecipe } from "../../../benchmarks/step-kinds.js";
import { extended, recipeFor } from "../../../core/recipe.js";
import type { AnyStep } from "../../../core/step.js";
import { labConfusion } from "../../../lab/confusion-experiment.js";
import { labDemography, labExperiment } from "../../../lab/lab-experiment.js";
import { hostingFor } from "../../models/hosting.js";
import { recipeSources } from "./recipe-sources.js";

const hosting = hostingFor({ variables: {}, workingDirectory: "." });
const people = async () => {
  throw new Error("Expected no study");
};

/** Makes the steps again from the recipe that they were written into. */
async function madeAgain({
  steps,
  models,
}: {
  steps: readonly AnyStep[];
  models: readonly string[];
}) {
  const run = { seed: 1, software: "1", models };
  const recipe = extended(recipeFor(run), { run, steps });
  const sources = { ...recipeSources(recipe, { settings: {}, hosting }), people };
  return Promise.all(recipe.steps.map((step) => stepOfRecipe(recipe, step, sources)));
}

const described = ({ name, part, version, parameters, asks, produces }: AnyStep) => ({
  name,
  part,
  version,
  parameters,
  asks,
  produces,
});

test.each([
  ["prototypicality", labExperiment],
  ["demography", labDemography],
  ["attribute confusion", labConfusion],
] as const)(
  "steps made from the recipe are those that were written into it: %s",
  async (_, made) => {
    const experiment = made({ size: "small", seed: 1 });
    const steps = experiment.steps.map((step) =>
      step.name.startsWith("build-") ? { ...step, inputs: { drawableBy: "lab:painter" } } : step,
    );
    const again = await madeAgain({ ...experiment, steps });
    expect(again.map(described)).toEqual(steps.map(described));
  },
);
