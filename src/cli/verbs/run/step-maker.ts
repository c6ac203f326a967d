import { held, type StepSources } from "../../../benchmarks/step-kind.js";
import { stepOfRecipe } from "../../../benchmarks/step-kinds.js";
import { InputError } from "../../../core/errors.js";
import { modelsOf } from "../../../core/metric.js";
import { type Model, type ModelFacts, modelName, placedName } from "../../../core/models.js";
import type { Recipe, RecipeStep } from "../../../core/recipe.js";
import type { RecordStore } from "../../../core/record-store.js";
import { type AnyStep, stepId } from "../../../core/step.js";
import { metricCatalogue } from "../../../metrics/catalogue.js";
import { contractWords, keeps } from "../../../models/contracts.js";
import { asGiven } from "../../../runs/repeat-words.js";
import type { Making } from "../../command-line/command.js";
import type { Configuration } from "../../configuration/configuration-schema.js";
import type { Environment } from "../../environment.js";
import { configuredName } from "../../models/configured-name.js";
import { chooseGenerator, defectChoices } from "../../models/generator-choice.js";
import type { Hosting } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";
import { chatModelFor } from "../../models/model-for.js";
import { chooseDecomposer, ownMetric } from "../score/metric-choice.js";
import { worldOf } from "./benchmark-of.js";

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

/** Finds the models that a recipe names, as the command line does. */
export function recipeSources(
  recipe: Recipe,
  { settings, hosting }: { readonly settings: Configuration; readonly hosting: Hosting },
): Omit<StepSources, "people" | "byVerb" | "run" | "recipe"> & {
  readonly callsAtOnce: () => number;
} {
  let atOnce = 0;
  const note = (callsAtOnce: number | undefined) => {
    atOnce = Math.max(atOnce, callsAtOnce ?? 0);
  };
  /** Of several names for one model those that the command line used come first. */
  const choosingBy = (names: readonly string[] = []) => {
    const { models = {} } = settings;
    const used = names.flatMap((name) =>
      models[name] === undefined ? [] : [[name, models[name]] as const],
    );
    return { configured: { ...Object.fromEntries(used), ...models }, hosting };
  };
  type Choosing = ReturnType<typeof choosingBy>;
  const named = async (facts: ModelFacts, choosing: Choosing) =>
    (await configuredName(facts, choosing)) ?? facts.model;
  const loaded = async (facts: ModelFacts, choosing: Choosing): Promise<Model> => {
    const chosen = await chooseModel(await named(facts, choosing), choosing.configured, hosting);
    await chosen.load();
    note(chosen.callsAtOnce);
    return chosen.model;
  };
  return {
    callsAtOnce: () => atOnce,
    async generator(identity, { models, embed = false, allowOutside = false }) {
      const choosing = choosingBy(models);
      const { provider, model, baseUrl } = identity;
      const name =
        (await configuredName(
          { model: modelName(identity), ...(baseUrl === undefined ? {} : { baseUrl }) },
          choosing,
        )) ?? `${provider}:${model}`;
      // The lab's painter says in its revision alone how often it errs.
      for (const defects of defectChoices) {
        const chosen = await chooseGenerator(name, { ...choosing, embed, allowOutside, defects });
        if (placedName(chosen.generator.identity) !== placedName(identity)) continue;
        note(chosen.callsAtOnce);
        return chosen.generator;
      }
      throw new InputError(`Expected the generator ${placedName(identity)} but it can't be had`, {
        hint: "It is another version, is reached elsewhere, or has other settings now.",
      });
    },
    async asked(facts, contract, names) {
      const model = await loaded(facts, choosingBy(names));
      if (keeps(model, contract)) return model;
      throw new InputError(
        `Expected a model that ${contractWords[contract]} but received ${facts.model}`,
      );
    },
    cannotDraw: async (name) => (await chooseGenerator(name, choosingBy())).cannotDraw,
    async chatModel(name) {
      const chosen = await chatModelFor(name, { flag: "--writer", settings, hosting });
      note(chosen.callsAtOnce);
      return chosen.model;
    },
    async metric(
      { metric: name, convention, template, ...facts },
      { models: names, own, wording },
    ) {
      const choosing = choosingBy(names);
      const entry = metricCatalogue.find((each) => each.name === name);
      if (entry === undefined && own !== undefined) {
        return ownMetric(own, { hosting, workingDirectory: hosting.workingDirectory });
      }
      if (entry === undefined) {
        throw new InputError(
          `The metric ${name} is none of this version, and its recipe is not known`,
        );
      }
      const { models, decomposer } = modelsOf(facts);
      const [model, localizer] = await Promise.all(models.map((each) => loaded(each, choosing)));
      return entry.make({
        model: held(model, `whom ${name} asks`),
        localizer,
        wording,
        ...(decomposer === undefined
          ? {}
          : {
              decomposer: await chooseDecomposer(
                await named(asGiven(decomposer), choosing),
                choosing,
              ),
            }),
        ...(convention !== undefined && entry.conventions.includes(convention)
          ? { convention }
          : {}),
        ...(template === undefined ? {} : { template }),
      });
    },
    async world() {
      return held(await worldOf(recipe), "what is really in its pictures");
    },
  };
}
