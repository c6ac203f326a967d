/** How a provider of chat models with a format of its own is reached. */
export interface ChatProviderFacts {
  readonly baseUrl: string;
  /** The environment variable that holds its key. */
  readonly keyName: string;
  /** The header that holds the key alone. */
  readonly keyHeader: string;
  /** Headers of every call. */
  readonly headers: Readonly<Record<string, string>>;
}

export const chatProviders = {
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    keyName: "ANTHROPIC_API_KEY",
    keyHeader: "x-api-key",
    headers: { "anthropic-version": "2023-06-01" },
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyName: "GEMINI_API_KEY",
    keyHeader: "x-goog-api-key",
    headers: {},
  },
} as const satisfies Readonly<Record<string, ChatProviderFacts>>;
