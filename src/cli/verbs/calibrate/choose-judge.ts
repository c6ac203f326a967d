import { InputError } from "../../../core/errors.js";
import { type ImageEmbedder, type Model, modelName } from "../../../core/models.js";
import { contractWords, keeps } from "../../../models/contracts.js";
import type { ConfiguredModel } from "../../configuration/configuration-schema.js";
import type { Hosting } from "../../models/hosting.js";
import { type ChosenModel, chooseModel } from "../../models/model-choice.js";

interface Choosing {
  readonly configured: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting: Hosting;
}

/** A model that keeps a contract, and what the command line should know of it. */
export type Chosen<Of> = Omit<ChosenModel, "model"> & { readonly model: Of };

/** The model that judges; whether it can do so, `askingOf` says. */
export const chooseJudge = (
  name: string,
  { configured, hosting }: Choosing,
): Promise<Chosen<Model>> => chooseModel(name, configured, hosting);

/** The model that embeds images. @throws InputError where it does not. */
export async function chooseEmbedder(
  name: string,
  { configured, hosting }: Choosing,
): Promise<Chosen<ImageEmbedder>> {
  const chosen = await chooseModel(name, configured, hosting);
  const { model } = chosen;
  if (!keeps(model, "ImageEmbedder")) {
    throw new InputError(
      `Expected a model that ${contractWords.ImageEmbedder} for --embedder but received ${modelName(model.identity)}`,
    );
  }
  await chosen.load();
  return { ...chosen, model };
}
