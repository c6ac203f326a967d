import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { labConfusion } from "../../../../packages/lab/src/confusion-experiment.js";
import { labDemography, labExperiment } from "../../../../packages/lab/src/lab-experiment.js";
import { stepOfRecipe } from "../../../benchmarks/step-kinds.js";
import { extended, recipeFor } from "../../../core/recipe.js";
import type { AnyStep } from "../../../core/step.js";
import { hostingFor } from "../../models/hosting.js";
import { chooseAuditedGenerators, chooseAuditModels, plannedSteps } from "../audit/audit-models.js";
import { readAuditConfig } from "../audit/read-audit-config.js";
import { recipeSources } from "./step-maker.js";

const hosting = hostingFor({ variables: {}, workingDirectory: "." });
const none = async () => {
  throw new Error("Expected no study and no table");
};
const run = { async *ofType() {} };

/** Makes the steps again from the recipe that they were written into. */
async function madeAgain({
  steps,
  models,
}: {
  steps: readonly AnyStep[];
  models: readonly string[];
}) {
  const made = { seed: 1, software: "1", models };
  const recipe = extended(recipeFor(made), { run: made, steps });
  const sources = {
    ...recipeSources(recipe, { settings: {}, hosting }),
    run,
    people: none,
    byVerb: none,
  };
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

test("steps of an audit made from the recipe are those that were written into it", async () => {
  const file = fileURLToPath(
    new URL("../../../../packages/lab/data/demo-stereotypes.yaml", import.meta.url),
  );
  const plan = await readAuditConfig({ file, workingDirectory: "." });
  const generators = await chooseAuditedGenerators(plan, { hosting });
  const models = await chooseAuditModels(plan, { generators, hosting });
  const steps = plannedSteps(plan, { models, generators, count: 2 });
  const again = await madeAgain({ steps, models: models.names });
  expect(again.map(described)).toEqual(steps.map(described));
  expect(again.map(({ name }) => name)).toContain("score-alignment");
});

test.each([
  ["prototypicality", labExperiment],
  ["demography", labDemography],
  ["attribute confusion", labConfusion],
] as const)(
  "steps made from the recipe are those that were written into it: %s",
  async (_, made) => {
    const experiment = made({ size: "small", seed: 1 });
    const again = await madeAgain(experiment);
    expect(again.map(described)).toEqual(experiment.steps.map(described));
  },
);
