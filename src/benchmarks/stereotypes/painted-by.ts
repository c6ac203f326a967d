import { type ModelFacts, type ModelIdentity, type Placed, placedName } from "../../core/models.js";
import { partNamed } from "../../core/step-part.js";

interface Painted {
  readonly generator: string;
  readonly generatorBaseUrl?: string | undefined;
}

/** The generator as records of audits and rewrites name it. */
export const generatorFacts = ({ model, baseUrl }: ModelFacts): Painted => ({
  generator: model,
  ...(baseUrl === undefined ? {} : { generatorBaseUrl: baseUrl }),
});

/** Whether a record is about images of this generator. */
export const isBy = (
  { model, baseUrl }: ModelFacts,
  { generator, generatorBaseUrl }: Painted,
): boolean => generator === model && generatorBaseUrl === baseUrl;

/** Whether a generator made an image. */
export const isOf = ({ model, baseUrl }: ModelFacts, image: Placed): boolean =>
  image.model === model && image.baseUrl === baseUrl;

/** Part of a step's name that tells generators apart; the revision is no part of it. */
export const partOf = (generator: ModelIdentity): string =>
  partNamed([placedName(generator).replace(/@\S*/g, "")]);
