import { InputError } from "../../core/errors.js";
import { type ChatModel, modelName } from "../../core/models.js";
import { chatProviderNames } from "../../models/chat-providers.js";
import { type ContractName, type Contracts, contractWords, keeps } from "../../models/contracts.js";
import type { Configuration, ConfiguredModel } from "../configuration/configuration-schema.js";
import type { ChosenModel } from "../environment.js";
import type { Hosting } from "./hosting.js";
import { whatItDoes } from "./made-for.js";
import { chooseModel } from "./model-choice.js";
import { chatModelOf } from "./own-model.js";

export interface Choosing {
  readonly configured: Readonly<Record<string, ConfiguredModel>> | undefined;
  readonly hosting: Hosting;
}

/** A model that keeps a contract, and what the command line should know of it. */
export type Chosen<Of> = Omit<ChosenModel, "model"> & { readonly model: Of };

interface Named extends Choosing {
  /** What errors call the place that names it. */
  readonly flag: string;
  readonly hint?: string;
}

/**
 * A model that is named for something that it has to be able to do, loaded.
 *
 * @throws InputError where there is none of that name, or it can't do that
 */
export async function modelFor<Name extends ContractName>(
  text: string,
  contract: Name,
  choosing: Named,
): Promise<Chosen<Contracts[Name]>> {
  const chosen = await unloadedFor(text, contract, choosing);
  await chosen.load();
  return chosen;
}

/** The same before it is loaded: of several the last may be refused. */
export async function unloadedFor<Name extends ContractName>(
  text: string,
  contract: Name,
  { flag, hint, configured, hosting }: Named,
): Promise<Chosen<Contracts[Name]>> {
  const chosen = await chooseModel(text, configured, hosting, flag);
  const { model } = chosen;
  if (!keeps(model, contract)) {
    throw new InputError(
      `Expected a model that ${contractWords[contract]} for ${flag} but received ` +
        `${modelName(model.identity)}, which ${whatItDoes(model)}`,
      hint === undefined ? {} : { hint },
    );
  }
  return { ...chosen, model };
}

const kinds = chatProviderNames.map((provider) => `${provider}:NAME`).join(", ");

/**
 * A model that a flag names to chat with, loaded.
 *
 * @throws InputError where it does not chat, or was made for some tasks alone.
 */
export async function chatModelFor(
  text: string,
  {
    flag,
    settings,
    hosting,
  }: {
    readonly flag: string;
    readonly settings: Pick<Configuration, "models">;
    readonly hosting: Hosting;
  },
): Promise<{ readonly model: ChatModel; readonly callsAtOnce: number | undefined }> {
  const { model, load, callsAtOnce } = await chooseModel(text, settings.models, hosting, flag);
  if (!keeps(model, "ChatModel") || model.madeFor !== undefined) {
    throw new InputError(
      `Expected a model that ${contractWords.ChatModel} for ${flag} but received ` +
        `${modelName(model.identity)}, which ${whatItDoes(model)}`,
      {
        hint: `Such as ${chatModelOf(settings) ?? `${kinds} (touchstone metrics models)`}`,
      },
    );
  }
  await load();
  return { model, callsAtOnce };
}
