import { isChatProvider } from "../../models/chat-providers.js";
import { loadConfiguration } from "../configuration/configuration.js";
import type { Configuration } from "../configuration/configuration-schema.js";
import type { Environment } from "../environment.js";
import { exampleChatModel } from "./example-models.js";

/**
 * A chat model that the user has, for a command to go on with: the first of touchstone.config.yaml, or
 * one of OpenAI's where its key is set. Undefined where none is known.
 */
export async function ownChatModel(environment: Environment): Promise<string | undefined> {
  const { settings } = await loadConfiguration(environment);
  const name = chatModelOf(settings);
  const { OPENAI_API_KEY, OPENAI_BASE_URL } = environment.variables;
  const isOpenAi = OPENAI_API_KEY !== undefined && OPENAI_BASE_URL === undefined;
  return name ?? (isOpenAi ? exampleChatModel : undefined);
}

/** The first chat model that the settings name. */
export const chatModelOf = ({ models = {} }: Pick<Configuration, "models">): string | undefined =>
  Object.entries(models).find(([, { provider }]) => isChatProvider(provider))?.[0];

/**
 * A command with such a model or, where none is known, the one that lists models.
 *
 * @param options.lab the model of the lab, where it is the lab that painted: others have no right to say
 */
export async function withOwnModel(
  words: readonly string[],
  environment: Environment,
  { lab }: { readonly lab?: string | undefined } = {},
): Promise<readonly string[]> {
  const model = lab ?? (await ownChatModel(environment));
  return model === undefined ? ["metrics", "models"] : [...words, "--model", model];
}
