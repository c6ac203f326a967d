import { InputError } from "../../core/errors.js";
import { modelName } from "../../core/models.js";
import { type ContractName, type Contracts, contractWords, keeps } from "../../models/contracts.js";
import type { ConfiguredModel } from "../configuration/configuration-schema.js";
import type { ChosenModel } from "./chosen-model.js";
import type { Hosting } from "./hosting.js";
import { whatItDoes } from "./made-for.js";
import { chooseModel } from "./model-choice.js";

export interface Choosing {
  readonly configured: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting: Hosting;
}

/** A model that keeps a contract, and what the command line should know of it. */
export type Chosen<Of> = Omit<ChosenModel, "model"> & { readonly model: Of };

/**
 * A model that is named for something that it has to be able to do, loaded.
 *
 * @param options.flag what errors call the place that names it
 * @throws InputError where there is none of that name, or it can't do that
 */
export async function modelFor<Name extends ContractName>(
  text: string,
  contract: Name,
  { flag, hint, configured, hosting }: Choosing & { readonly flag: string; readonly hint?: string },
): Promise<Chosen<Contracts[Name]>> {
  const chosen = await chooseModel(text, configured, hosting);
  const { model } = chosen;
  if (!keeps(model, contract)) {
    throw new InputError(
      `Expected a model that ${contractWords[contract]} for ${flag} but received ` +
        `${modelName(model.identity)}, which ${whatItDoes(model)}`,
      hint === undefined ? {} : { hint },
    );
  }
  await chosen.load();
  return { ...chosen, model };
}
