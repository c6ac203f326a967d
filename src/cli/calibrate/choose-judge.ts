import { InputError } from "../../core/errors.js";
import { type ChatModel, type ImageEmbedder, modelName } from "../../core/models.js";
import { type ContractName, type Contracts, contractWords, keeps } from "../../models/contracts.js";
import type { ConfiguredModel } from "../configuration-schema.js";
import type { Hosting } from "../hosting.js";
import { type ChosenModel, chooseModel } from "../model-choice.js";

interface Choosing {
  readonly configured: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting: Hosting;
}

/** A model that keeps a contract, and what the command line should know of it. */
export type Chosen<Of> = Omit<ChosenModel, "model"> & { readonly model: Of };

/** The model that judges. @throws InputError where it does not chat. */
export const chooseJudge = (name: string, choosing: Choosing): Promise<Chosen<ChatModel>> =>
  chosenFor("ChatModel", "model", name, choosing);

/** The model that embeds images. @throws InputError where it does not. */
export const chooseEmbedder = (name: string, choosing: Choosing): Promise<Chosen<ImageEmbedder>> =>
  chosenFor("ImageEmbedder", "embedder", name, choosing);

async function chosenFor<Name extends ContractName>(
  contract: Name,
  flag: string,
  name: string,
  { configured, hosting }: Choosing,
): Promise<Chosen<Contracts[Name]>> {
  const chosen = await chooseModel(name, configured, hosting);
  const { model } = chosen;
  if (!keeps(model, contract)) {
    throw new InputError(
      `Expected a model that ${contractWords[contract]} for --${flag} but received ${modelName(model.identity)}`,
    );
  }
  await chosen.load();
  return { ...chosen, model };
}
