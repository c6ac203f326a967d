import type { ChatServer, NativeFormat } from "./native-chat/native-chat.js";
import type {
  OpenAiCompatible,
  OpenAiCompatibleOptions,
} from "./openai-compatible/openai-compatible.js";

interface ChatAdapter extends ChatServer {
  make(model: string, options: OpenAiCompatibleOptions): OpenAiCompatible;
}

interface ChatProvider {
  /** What its models are, for the schema of settings. */
  readonly title: string;
  load(): Promise<ChatAdapter>;
}

const native = (
  title: string,
  format: () => Promise<{ readonly default: NativeFormat }>,
): ChatProvider => ({
  title,
  async load() {
    const [{ nativeChat }, own] = await Promise.all([
      import("./native-chat/native-chat.js"),
      format(),
    ]);
    return { ...own.default, make: (...asked) => nativeChat(own.default, ...asked) };
  },
});

/** The providers of chat models. `--model`, the settings and their schema take each by its name. */
export const chatProviders = {
  "openai-compatible": {
    title: "OpenAI, vLLM, SGLang, llama.cpp, Ollama, OpenRouter and others of their kind",
    async load(): Promise<ChatAdapter> {
      const { openAiBaseUrl, openAiCompatible, openAiKeyName } = await import(
        "./openai-compatible/openai-compatible.js"
      );
      return {
        baseUrl: openAiBaseUrl,
        keyName: openAiKeyName,
        baseUrlName: "OPENAI_BASE_URL",
        make: openAiCompatible,
      };
    },
  },
  anthropic: native(
    "Anthropic's models, by its own messages",
    () => import("./native-chat/anthropic.js"),
  ),
  gemini: native("Gemini's models, by generateContent", () => import("./native-chat/gemini.js")),
} as const satisfies Readonly<Record<string, ChatProvider>>;

export type ChatProviderName = keyof typeof chatProviders;

export const chatProviderNames = Object.keys(chatProviders) as ChatProviderName[];

export const isChatProvider = (provider: string): provider is ChatProviderName =>
  Object.hasOwn(chatProviders, provider);
