import { type ChatProviderFacts, chatProviders } from "../../models/native-chat/chat-providers.js";
import type {
  OpenAiCompatible,
  OpenAiCompatibleOptions,
} from "../../models/openai-compatible/openai-compatible.js";
import type {
  ConfiguredModel,
  HostedModelSettings,
} from "../configuration/configuration-schema.js";

type ChatProvider = HostedModelSettings["provider"];

/** How a chat model of a provider is reached and made. */
interface ChatAdapter extends Partial<ChatProviderFacts> {
  readonly baseUrl: string;
  readonly keyName: string;
  /** The environment variable that holds another base URL. */
  readonly baseUrlName?: string;
  make(model: string, options: OpenAiCompatibleOptions): Promise<OpenAiCompatible>;
}

export const chatAdapters: Readonly<Record<ChatProvider, ChatAdapter>> = {
  "openai-compatible": {
    baseUrl: "https://api.openai.com/v1",
    keyName: "OPENAI_API_KEY",
    baseUrlName: "OPENAI_BASE_URL",
    async make(model, options) {
      const { openAiCompatible } = await import(
        "../../models/openai-compatible/openai-compatible.js"
      );
      return openAiCompatible(model, options);
    },
  },
  anthropic: {
    ...chatProviders.anthropic,
    async make(model, options) {
      const { anthropic } = await import("../../models/native-chat/anthropic.js");
      return anthropic(model, options);
    },
  },
  gemini: {
    ...chatProviders.gemini,
    async make(model, options) {
      const { gemini } = await import("../../models/native-chat/gemini.js");
      return gemini(model, options);
    },
  },
};

/** Whether a provider's models chat. */
export const isChatProvider = (provider: ConfiguredModel["provider"]): provider is ChatProvider =>
  Object.hasOwn(chatAdapters, provider);
