import { z } from "zod";
import { countText } from "../../core/phrases.js";
import {
  type ImageProviderName,
  imageProviderNames,
  imageProviders,
} from "../../models/image-generation/image-providers.js";

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

const imageServiceOf = <const Name extends ImageProviderName>(
  names: readonly Name[],
  model: string,
) =>
  z.strictObject({
    provider: z.enum(names).meta({
      description: `${names.map((name) => `${name}: ${imageProviders[name].title}`).join("; ")}; for generate`,
    }),
    model: z.string().min(1).meta({ description: model }),
    ...generation,
  });

const openAiImages = imageServiceOf(["openai-images"], "such as gpt-image-1").extend({
  size: z.string().min(1).optional().meta({ description: "such as 1024x1024" }),
  quality: z.string().min(1).optional().meta({ description: "such as low or high" }),
});

const fal = imageServiceOf(["fal"], "the whole id, such as fal-ai/flux/schnell").omit({
  revision: true,
});

const a1111 = imageServiceOf(
  ["a1111"],
  "the checkpoint, as the server lists it; whatever it has loaded",
).partial({ model: true });

const comfyUi = imageServiceOf(["comfyui"], "")
  .omit({ model: true })
  .extend({
    workflow: z
      .string()
      .min(1)
      .meta({
        description:
          "the file of a workflow in the API's format, with %prompt%, %seed% and where wanted %negative%, " +
          "%width% and %height% in its values; the last three are given in input",
      }),
  });

const own = { "openai-images": openAiImages, fal, a1111, comfyui: comfyUi } as const;

/** Services that have no settings but those that all share. */
const others = imageServiceOf(
  imageProviderNames.filter(
    (name): name is Exclude<ImageProviderName, keyof typeof own> => !Object.hasOwn(own, name),
  ),
  "as the provider calls it",
);

/** Entries of generators behind HTTP. */
export const imageServices = [...Object.values(own), others] as const;

/** An entry for a hosted generator of images. */
export type HostedGeneratorSettings = z.output<(typeof imageServices)[number]>;
