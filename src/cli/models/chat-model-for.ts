import { InputError } from "../../core/errors.js";
import { type ChatModel, modelName } from "../../core/models.js";
import { contractWords, keeps } from "../../models/contracts.js";
import type { Configuration } from "../configuration/configuration-schema.js";
import { chatAdapters } from "./chat-adapters.js";
import type { Hosting } from "./hosting.js";
import { whatItDoes } from "./made-for.js";
import { chooseModel } from "./model-choice.js";
import { chatModelOf } from "./own-model.js";

const kinds = Object.keys(chatAdapters)
  .map((provider) => `${provider}:NAME`)
  .join(", ");

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
  const { model, load, callsAtOnce } = await chooseModel(text, settings.models, hosting);
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
