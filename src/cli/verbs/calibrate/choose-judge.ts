import { InputError } from "../../../core/errors.js";
import { type ImageEmbedder, modelName } from "../../../core/models.js";
import { contractWords, keeps } from "../../../models/contracts.js";
import type { ConfiguredModel } from "../../configuration/configuration-schema.js";
import type { ChosenModel } from "../../models/chosen-model.js";
import type { Hosting } from "../../models/hosting.js";
import { chooseModel } from "../../models/model-choice.js";

export interface Choosing {
  readonly configured: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting: Hosting;
}

/** A model that keeps a contract, and what the command line should know of it. */
export type Chosen<Of> = Omit<ChosenModel, "model"> & { readonly model: Of };

const isColumn = (name: string): boolean => /^column(:embedding)?$/.test(name);

/** Stands for embeddings that a table brings along: `embedItems` reads them there. */
export const columnEmbedder: ImageEmbedder = {
  identity: { provider: "column", model: "embedding" },
  embedImage: () => Promise.reject(new Error("Embeddings of a column are read, not made")),
};

/** The model that embeds images, or the table's columns (column). @throws InputError where it does not. */
export async function chooseEmbedder(
  name: string,
  { configured, hosting }: Choosing,
): Promise<Chosen<ImageEmbedder>> {
  if (isColumn(name)) {
    return { model: columnEmbedder, judgesPhotographs: true, load: async () => {} };
  }
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
