/** What a provider of images has, and how it is reached. */
export interface ImageProviderFacts {
  /** Its models and how they are called, for the schema of settings. */
  readonly title: string;
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

/** The providers of images. The settings and their schema take each by its name. */
export const imageProviders = {
  "openai-images": {
    title: "generators behind OpenAI's API of images, such as gpt-image-1",

    baseUrl: "https://api.openai.com/v1",
    keyName: "OPENAI_API_KEY",
    baseUrlName: "OPENAI_BASE_URL",
  },
  replicate: {
    title: "generators at Replicate, as owner/name; revision is the version's id",
    baseUrl: "https://api.replicate.com/v1",
    keyName: "REPLICATE_API_TOKEN",
  },
  fal: {
    title: "generators at fal, by the whole id, such as fal-ai/flux/schnell",

    baseUrl: "https://queue.fal.run",
    keyName: "FAL_KEY",
    scheme: "Key",
    hasNoRevision: true,
  },
  a1111: {
    title: "AUTOMATIC1111's web UI, Forge or SD.Next, started with --api",
    baseUrl: "http://127.0.0.1:7860",
    keyName: "",
    concurrency: 2,
  },
  comfyui: {
    title: "ComfyUI",
    baseUrl: "http://127.0.0.1:8188",
    keyName: "",
    concurrency: 2,
  },
  "chat-images": {
    title:
      "generators behind chat/completions, as OpenRouter has them, such as google/gemini-2.5-flash-image",
    baseUrl: "https://openrouter.ai/api/v1",
    keyName: "OPENROUTER_API_KEY",
  },
  "gemini-images": {
    title: "Gemini's generators, such as gemini-2.5-flash-image",

    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyName: "GEMINI_API_KEY",
    keyHeader: "x-goog-api-key",
    isKeyOfFormat: true,
  },
  bfl: {
    title: "generators of Black Forest Labs, such as flux-pro-1.1",

    baseUrl: "https://api.bfl.ai/v1",
    keyName: "BFL_API_KEY",
    keyHeader: "x-key",
    isKeyOfFormat: true,
  },
  stability: {
    title: "generators of Stability AI (v2beta): core, ultra, or such as sd3.5-large",

    baseUrl: "https://api.stability.ai/v2beta",
    keyName: "STABILITY_API_KEY",
    isKeyOfFormat: true,
  },
  "hf-inference": {
    title: "generators at Hugging Face's inference, as owner/name on the Hub",

    baseUrl: "https://router.huggingface.co/hf-inference/models",
    keyName: "HF_TOKEN",
  },
} as const satisfies Readonly<Record<string, ImageProviderFacts>>;

export type ImageProviderName = keyof typeof imageProviders;

export const imageProviderNames = Object.keys(imageProviders) as ImageProviderName[];

export const isImageProvider = (name: string): name is ImageProviderName =>
  Object.hasOwn(imageProviders, name);
