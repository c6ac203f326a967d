/** How a provider of images is reached. */
export interface ImageProviderFacts {
  readonly baseUrl: string;
  /** The environment variable that holds its key; empty for servers that need none. */
  readonly keyName: string;
  /** The environment variable that holds another base URL. */
  readonly baseUrlName?: string;
  /** The word before the key in the header Authorization; Bearer where not given. */
  readonly scheme?: "Key";
  /** The header that holds the key alone; Authorization where not given. */
  readonly keyHeader?: string;
  /** Whether the key goes to any address that the settings give, as nobody but the provider speaks so. */
  readonly isKeyOfFormat?: boolean;
  /** Whether its models' ids name one state alone. */
  readonly hasNoRevision?: boolean;
  /** A server that makes one image after the other: as many calls at once keep it busy. */
  readonly concurrency?: number;
}

/** Services of images, each with an adapter of its own. */
export const imageProviders = {
  "openai-images": {
    baseUrl: "https://api.openai.com/v1",
    keyName: "OPENAI_API_KEY",
    baseUrlName: "OPENAI_BASE_URL",
  },
  replicate: { baseUrl: "https://api.replicate.com/v1", keyName: "REPLICATE_API_TOKEN" },
  fal: {
    baseUrl: "https://queue.fal.run",
    keyName: "FAL_KEY",
    scheme: "Key",
    hasNoRevision: true,
  },
  a1111: { baseUrl: "http://127.0.0.1:7860", keyName: "", concurrency: 2 },
  comfyui: { baseUrl: "http://127.0.0.1:8188", keyName: "", concurrency: 2 },
  "chat-images": { baseUrl: "https://openrouter.ai/api/v1", keyName: "OPENROUTER_API_KEY" },
  "gemini-images": {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyName: "GEMINI_API_KEY",
    keyHeader: "x-goog-api-key",
    isKeyOfFormat: true,
  },
  bfl: {
    baseUrl: "https://api.bfl.ai/v1",
    keyName: "BFL_API_KEY",
    keyHeader: "x-key",
    isKeyOfFormat: true,
  },
  stability: {
    baseUrl: "https://api.stability.ai/v2beta",
    keyName: "STABILITY_API_KEY",
    isKeyOfFormat: true,
  },
  "hf-inference": {
    baseUrl: "https://router.huggingface.co/hf-inference/models",
    keyName: "HF_TOKEN",
  },
} as const satisfies Readonly<Record<string, ImageProviderFacts>>;

export type ImageProviderName = keyof typeof imageProviders;

export const imageProviderNames = Object.keys(imageProviders) as ImageProviderName[];

export const isImageProvider = (name: string): name is ImageProviderName =>
  Object.hasOwn(imageProviders, name);
