import { z } from "zod";
import { InputError } from "../core/errors.js";
import { isByPeople } from "../core/models.js";
import type { Recipe, RecipeStep } from "../core/recipe.js";
import { type AnyStep, stepId } from "../core/step.js";
import { scoreDescriptions } from "./attribute-confusion/score-descriptions.js";
import { benchmarks } from "./benchmarks.js";
import { runFilter } from "./prototypicality/run-filter.js";
import { scoreImages } from "./prototypicality/score-images.js";
import {
  held,
  type StepKind,
  type StepSources,
  scoreInputs,
  scorerParameters,
  stepKind,
} from "./step-kind.js";

/** Scores by metrics and people, of images against whatever texts a benchmark has. */
const scoring = stepKind({
  name: "score-images",
  version: 1,
  title: "Scoring",
  cost: 13,
  parameters: scorerParameters.extend({
    textOf: z.union([z.literal("prompt-text"), z.array(z.string())]).optional(),
    block: z.string().optional(),
  }),
  inputs: scoreInputs,
  async make({ textOf, block = "", ...scorer }, inputs, sources) {
    if (isByPeople(scorer))
      return sources.people(held(inputs.study, "where the study lies"), block);
    const metrics = [await sources.metric(scorer, inputs)];
    const [step] =
      textOf === "prompt-text"
        ? scoreImages({ metrics, filter: runFilter({ scores: [] }, sources.recipe) })
        : scoreDescriptions({ metrics });
    return held(step, "what is scored");
  },
});

/** Steps about the rows of a table: the verb that reads the table makes them. */
const ofTable = (name: string, title: string, cost: number): StepKind => ({
  name,
  version: 1,
  title,
  cost,
  make: (described, { byVerb }) => byVerb(described),
});

/** All kinds of steps. */
const stepKinds: readonly StepKind[] = [
  ...benchmarks.flatMap(({ steps }) => steps),
  scoring,
  ofTable("judge-pairs", "Judging pairs", 40),
  ofTable("judge-images", "Judging images", 40),
  ofTable("paint-prompts", "Painting pictures", 10),
  ofTable("find-entities", "Finding entities", 60),
  ofTable("take-images", "Taking images", 1),
  ofTable("score-items", "Scoring", 13),
];

const keyOf = ({ name, version }: Pick<StepKind, "name" | "version">) => `${name}@${version}`;
const byKey = new Map(stepKinds.map((kind) => [keyOf(kind), kind]));

/** The kind of a step; undefined for a step of somebody's own, or of another version of Touchstone. */
export const stepKindOf = (step: Pick<StepKind, "name" | "version">): StepKind | undefined =>
  byKey.get(keyOf(step));

/**
 * Makes a step of a recipe again.
 *
 * @throws InputError where this version has no such kind, the recipe does not hold all that the step
 *   needs, or a model that it names can't be had.
 */
export async function stepOfRecipe(
  recipe: Recipe,
  described: RecipeStep,
  sources: Omit<StepSources, "recipe">,
): Promise<AnyStep> {
  const kind = stepKindOf(described);
  if (kind === undefined) {
    throw new InputError(
      `This version has no step ${keyOf(described)}, which is ${stepId(described)} of the run`,
    );
  }
  const steps = recipe.steps.slice(0, recipe.steps.indexOf(described));
  return kind.make(described, { ...sources, recipe: { ...recipe, steps } });
}
