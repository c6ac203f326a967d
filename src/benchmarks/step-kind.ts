import { z } from "zod";
import { InputError } from "../core/errors.js";
import type { Json } from "../core/json.js";
import type { Metric } from "../core/metric.js";
import type {
  ChatModel,
  ImageGenerator,
  ModelFacts,
  ModelIdentity,
  TextEmbedder,
} from "../core/models.js";
import type { Recipe, RecipeStep } from "../core/recipe.js";
import { type AnyStep, type Records, stepId } from "../core/step.js";
import { ratingWordingSchema } from "../metrics/chat-rating.js";
import type { World } from "./world.js";

/** Finds the models and data that a recipe names. Each throws an InputError where it can't be had. */
export interface StepSources {
  /** Up to the step that is made. */
  readonly recipe: Recipe;
  /** What the run holds so far. */
  readonly run: Records;
  generator(identity: ModelIdentity, how: PaintInputs): Promise<ImageGenerator>;
  /** Why a generator, by the name of the command line, can't draw a sentence. */
  cannotDraw(generator: string): Promise<(sentence: string) => string | undefined>;
  /** @param name as the command line gave it */
  chatModel(name: string): Promise<ChatModel>;
  metric(scorer: ScorerParameters, inputs: ScoreInputs): Promise<Metric>;
  /**
   * A model by the facts of a step's parameters.
   *
   * @param names of the configuration, by which the command line named models
   */
  asked<Contract extends "ChatModel" | "TextEmbedder">(
    facts: ModelFacts,
    contract: Contract,
    names: readonly string[] | undefined,
  ): Promise<{ ChatModel: ChatModel; TextEmbedder: TextEmbedder }[Contract]>;
  /** The world that painted the run's images. */
  world(): Promise<World>;
  /** The step that takes over what people answered in the study at this place. */
  people(place: string, block: string): Promise<AnyStep>;
  /** A step that only the verb makes that concludes from the run (`recipe.makes`). */
  byVerb(described: RecipeStep): Promise<AnyStep>;
}

/** A kind of step, as recipes and keys of records name it: `name@version`. */
export interface StepKind {
  readonly name: string;
  readonly version: number;
  /** What the step does, in words for everybody. */
  readonly title: string;
  /** Milliseconds that an item takes in the lab, roughly; compared with those of other kinds alone. */
  readonly cost: number;
  /**
   * Makes the step as a recipe describes it.
   *
   * @throws InputError where the recipe, or this machine, lacks something that the step needs.
   */
  make(described: RecipeStep, sources: StepSources): Promise<AnyStep>;
}

/** Declares a kind of step that is made from a recipe. */
export const stepKind = <Parameters, Inputs = unknown>({
  parameters: parametersSchema,
  inputs: inputsSchema,
  make,
  ...kind
}: Omit<StepKind, "make"> & {
  /** Schema of the parameters that `make` reads; members that older versions did not write are optional. */
  readonly parameters: z.ZodType<Parameters>;
  /** Facts beside the parameters, which version 0.2 left to the command line: all may be absent. */
  readonly inputs?: z.ZodType<Inputs>;
  make(parameters: Parameters, inputs: Inputs, sources: StepSources): AnyStep | Promise<AnyStep>;
}): StepKind => ({
  ...kind,
  async make(described, sources) {
    const checked = z
      .object({ parameters: parametersSchema, inputs: inputsSchema ?? z.unknown() })
      .safeParse({ parameters: described.parameters, inputs: described.inputs ?? {} });
    if (!checked.success) {
      throw new InputError(`Expected other parameters of step ${stepId(described)} in the recipe`, {
        cause: checked.error,
      });
    }
    const { parameters, inputs } = checked.data;
    // Where no schema is given, `make` takes no inputs.
    return make(parameters, inputs as Inputs, sources);
  },
});

/** @throws InputError where a recipe, such as one of version 0.2, does not hold a fact. */
export function held<Fact>(fact: Fact | undefined, what: string): Fact {
  if (fact === undefined) throw new InputError(`The recipe of the run does not say ${what}`);
  return fact;
}

/** A text file as it was when the step was first asked for. */
export const textFile = z.object({ file: z.string(), text: z.string() });

export const modelIdentity: z.ZodType<ModelIdentity> = z.looseObject({
  provider: z.string(),
  model: z.string(),
  revision: z.string().exactOptional(),
  baseUrl: z.string().exactOptional(),
});

/** A model as `modelFacts` tells it. */
export const modelFactsSchema = z.object({
  model: z.string(),
  baseUrl: z.string().exactOptional(),
});

/** A step with the facts that it is made again from; those that are undefined are none. */
export function withInputs<Made extends AnyStep>(
  step: Made,
  inputs: Readonly<Record<string, Json | undefined>>,
): Made {
  const known = Object.entries(inputs).filter(([, value]) => value !== undefined);
  return known.length === 0 ? step : { ...step, inputs: Object.fromEntries(known) };
}

/** Names of the configuration by which the command line named models: several may be of one model. */
export const namedModels = z.object({ models: z.array(z.string()).optional() });

/** How images are made or, from a folder, taken into a run. */
export const paintInputs = namedModels.extend({
  embed: z.boolean().optional(),
  allowOutside: z.boolean().optional(),
});
export type PaintInputs = z.output<typeof paintInputs>;

/** Members of a scoring step's parameters by which its metric is found again. */
export const scorerParameters = z.object({
  metric: z.string(),
  model: z.string(),
  baseUrl: z.string().optional(),
  convention: z.string().optional(),
  template: z.string().optional(),
});
export type ScorerParameters = z.output<typeof scorerParameters>;

/** How a metric is found again, beside its parameters. */
export const scoreInputs = namedModels.extend({
  /** The path of a metric of the user's own, or its Python function, as the command line has it. */
  own: z.string().optional(),
  /** Words of the user's own to a chat model that rates. */
  wording: ratingWordingSchema.optional(),
  /** Where the study lies whose answers the step takes over. */
  study: z.string().optional(),
});
export type ScoreInputs = z.output<typeof scoreInputs>;
