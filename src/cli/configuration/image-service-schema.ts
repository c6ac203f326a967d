import { z } from "zod";
import { countText } from "../../core/phrases.js";

export const positive = z.number().positive();

/** Some 24 days, the most that a timer can count. */
const mostSeconds = 2_147_483;

export const seconds = positive.max(
  mostSeconds,
  `a time of at most ${countText(mostSeconds)} seconds, some 24 days`,
);

export const dollars = z.number().min(0);

const keyVariable = z
  .string()
  // What is redacted everywhere are the variables with these endings.
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*_(KEY|TOKEN|SECRET)$/i,
    "the name of an environment variable that ends in _KEY, _TOKEN or _SECRET, not the key itself",
  )
  .optional();

/** How a server is reached, and how much is asked of it. */
export const connection = {
  revision: z.string().min(1).optional().meta({
    description: "names a state of the model where its name does not; part of a record's key",
  }),
  baseUrl: z
    .url()
    .optional()
    .meta({
      description:
        "where the server's API begins; else what the environment says (such as OPENAI_BASE_URL), " +
        "else the provider's own",
    }),
  keyName: keyVariable.meta({ description: "the same as keyVariable" }),
  keyVariable: keyVariable.meta({
    description:
      "the environment variable that holds the key; the provider's own (such as OPENAI_API_KEY) " +
      "where neither this nor baseUrl is given, else none",
  }),
  concurrency: z.int().positive().optional().meta({
    description:
      "calls at once; 16, of images 4. Chat models of one server stay within the strictest limits",
  }),
  requestsPerMinute: positive.optional().meta({ description: "calls a minute; no limit" }),
  timeoutSeconds: seconds.optional().meta({
    description: "for a whole call; 120, of images 300",
  }),
  stallSeconds: seconds.optional().meta({ description: "without a byte; 60, of images 300" }),
  attempts: z.int().positive().optional().meta({ description: "how often a call is made; 6" }),
};

/** Settings that generators of images share. */
const generation = {
  ...connection,
  input: z.record(z.string(), z.json()).optional().meta({
    description: "the model's own parameters, sent beside the prompt; part of a record's key",
  }),
  pricePerImage: dollars.optional().meta({ description: "US dollars for an image" }),
};

const openAiImages = z.strictObject({
  provider: z.literal("openai-images").meta({
    description: "generators behind OpenAI's API of images; for generate",
  }),
  model: z.string().min(1).meta({ description: "such as gpt-image-1" }),
  ...generation,
  size: z.string().min(1).optional().meta({ description: "such as 1024x1024" }),
  quality: z.string().min(1).optional().meta({ description: "such as low or high" }),
});

const replicate = z.strictObject({
  provider: z.literal("replicate").meta({ description: "generators at Replicate; for generate" }),
  model: z.string().min(1).meta({ description: "owner/name; revision is the version's id" }),
  ...generation,
});

const { revision: _, ...withoutRevision } = generation;
const fal = z.strictObject({
  provider: z.literal("fal").meta({ description: "generators at fal; for generate" }),
  model: z.string().min(1).meta({ description: "the whole id, such as fal-ai/flux/schnell" }),
  ...withoutRevision,
});

/** A service of images that has no settings but those that all share. */
const imageService = <Name extends string>(name: Name, description: string, model: string) =>
  z.strictObject({
    provider: z.literal(name).meta({ description: `${description}; for generate` }),
    model: z.string().min(1).meta({ description: model }),
    ...generation,
  });

const chatImages = imageService(
  "chat-images",
  "generators behind chat/completions, as OpenRouter has them",
  "as the server calls it, such as google/gemini-2.5-flash-image",
);
const geminiImages = imageService(
  "gemini-images",
  "Gemini's generators",
  "such as gemini-2.5-flash-image",
);
const bfl = imageService("bfl", "generators of Black Forest Labs", "such as flux-pro-1.1");
const stability = imageService(
  "stability",
  "generators of Stability AI (v2beta)",
  "core, ultra, or such as sd3.5-large",
);
const hfInference = imageService(
  "hf-inference",
  "generators at Hugging Face's inference",
  "owner/name on the Hub",
);

const a1111 = imageService(
  "a1111",
  "AUTOMATIC1111's web UI, Forge or SD.Next, started with --api",
  "the checkpoint, as the server lists it; whatever it has loaded",
).partial({ model: true });

const { model: _model, ...ofComfyUi } = imageService("comfyui", "ComfyUI", "").shape;
const comfyUi = z.strictObject({
  ...ofComfyUi,
  workflow: z
    .string()
    .min(1)
    .meta({
      description:
        "the file of a workflow in the API's format, with %prompt%, %seed% and where wanted %negative%, " +
        "%width% and %height% in its values; the last three are given in input",
    }),
});

/** Entries of generators behind HTTP, by their providers. */
export const imageServices = [
  openAiImages,
  replicate,
  fal,
  a1111,
  comfyUi,
  chatImages,
  geminiImages,
  bfl,
  stability,
  hfInference,
] as const;

/** An entry for a hosted generator of images. */
export type HostedGeneratorSettings = z.output<(typeof imageServices)[number]>;
