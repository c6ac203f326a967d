import { z } from "zod";
import { chatProviderNames, chatProviders } from "../../models/chat-providers.js";
import { precisions } from "../../models/python-bridge/precisions.js";
import { connection, dollars, imageServices, positive, seconds } from "./image-service-schema.js";

const localModel = z.strictObject({
  provider: z.literal("transformers-js").meta({
    description: "models on this machine; needs the package @huggingface/transformers",
  }),
  model: z
    .string()
    .min(1)
    .meta({
      description:
        "a CLIP's owner/name on the Hugging Face Hub, or the path of a folder (./my-clip); of other " +
        "kinds siglip:NAME, vlm:NAME, localizer:DETECTOR+SAM",
    }),
  revision: z.string().min(1).optional().meta({ description: "a branch, tag or commit" }),
  cacheDirectory: z.string().min(1).optional().meta({
    description: "where downloaded files are kept",
  }),
  offline: z.boolean().optional().meta({
    description: "use only what was downloaded before",
  }),
  threshold: z.number().gt(0).lt(1).optional().meta({
    description: "for a localizer: how sure a detection must be; 0.25, for OWLv2 rather 0.1",
  }),
  logitScale: z.number().positive().optional().meta({
    description: "of a CLIP or SigLIP: what pick-score multiplies cosines by; 100 where not given",
  }),
});

const labModel = z.strictObject({
  provider: z.literal("lab").meta({
    description: "the models of the embedded lab; they judge only what the lab painted",
  }),
  model: z.string().min(1).meta({ description: "such as vqa" }),
});

/** Where and how Python runs. */
const ofPython = {
  python: z.string().min(1).optional().meta({
    description: "the Python that has the packages; TOUCHSTONE_PYTHON, else python3",
  }),
  device: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .optional()
    .meta({
      description:
        "such as cpu or cuda:0; a GPU where there is one. Of several, [cuda:0, cuda:1], each has a process of its own",
    }),
  batch: z.int().positive().optional().meta({
    description: "images at once; as many as memory and speed allow",
  }),
  timeoutSeconds: seconds.optional().meta({ description: "for an answer; 300" }),
  loadSeconds: seconds.optional().meta({
    description: "for loading the model, which may first be downloaded; 3600",
  }),
};

const bridgedModel = z.strictObject({
  provider: z.literal("python-bridge").meta({
    description: "metrics published as Python packages, in a Python that has them",
  }),
  model: z
    .string()
    .min(1)
    .meta({
      description:
        "hpsv2, image-reward, pick-score, open-clip, grounded-sam, t2v-vqa-score or t2v-clip-score, and after a colon which " +
        "of its models: t2v-vqa-score:clip-flant5-xl",
    }),
  revision: z.string().min(1).optional().meta({
    description: "of hpsv2 v2.0 or v2.1; of pick-score a branch, tag or commit",
  }),
  ...ofPython,
  workers: z.int().positive().optional().meta({
    description: "processes that decode and prepare images; one for each core",
  }),
  precision: z.enum(precisions).optional().meta({
    description:
      "what is computed with; what the published package does. It stands in every record",
  }),
  logitScale: positive.optional().meta({
    description: "what pick-score multiplies cosines by; 100",
  }),
});

const pythonGenerator = z.strictObject({
  provider: z.literal("python").meta({ description: "a function of your own that makes images" }),
  model: z.string().min(1).meta({
    description: "gen.py:generate or module:generate, a function generate(prompt, seed)",
  }),
  ...ofPython,
});

const words = z.string().min(1);
const diffusers = z.strictObject({
  provider: z.literal("diffusers").meta({
    description: "text-to-image pipelines of diffusers, in a Python that has it",
  }),
  model: z
    .string()
    .min(1)
    .meta({ description: "its owner/name on the Hugging Face Hub, or a folder" }),
  revision: words.optional().meta({ description: "a branch, tag or commit" }),
  variant: words.optional().meta({ description: "of the weights' files, such as fp16" }),
  dtype: z.enum(precisions).optional().meta({ description: "what is computed with; fp32" }),
  input: z.record(z.string(), z.json()).optional().meta({
    description:
      "what the pipeline is called with: steps, guidance, width, height, negative_prompt and others of its own",
  }),
  scheduler: words.optional().meta({ description: "such as EulerDiscreteScheduler" }),
  lora: z
    .union([words, z.array(words).min(1)])
    .optional()
    .meta({ description: "a repository or a file with LoRA weights, or several" }),
  offload: z.enum(["model", "sequential"]).optional().meta({
    description: "keeps on the GPU only what computes",
  }),
  ...ofPython,
  batch: z.int().positive().optional().meta({
    description:
      "images at once; 1. With more, the last bits of an image may depend on what is made beside it",
  }),
});

const chatModel = z.strictObject({
  provider: z.enum(chatProviderNames).meta({
    description: chatProviderNames
      .map((name) => `${name}: ${chatProviders[name].title}`)
      .join("; "),
  }),
  model: z.string().min(1).meta({ description: "as the server calls it" }),
  ...connection,
  tokensPerMinute: positive.optional().meta({ description: "tokens a minute; no limit" }),
  longestSide: z.int().positive().optional().meta({
    description: "no side of an image is sent longer than this, in pixels; 1024",
  }),
  price: z.strictObject({ input: dollars, output: dollars }).optional().meta({
    description: "US dollars for a million tokens, in and out",
  }),
  yesNo: z
    .union([
      z.literal(["tokens", "verbalized"]),
      z.strictObject({
        samples: z.int().positive(),
        temperature: z.number().min(0).optional(),
      }),
    ])
    .optional()
    .meta({
      description:
        "where P(yes) comes from: log-probabilities of tokens (the default), a stated probability, " +
        "or the share of yes among sampled answers (the default of providers that give none, of 5)",
    }),
});

const hostedEmbedder = z.strictObject({
  provider: z.literal("openai-embeddings").meta({
    description: "embeddings of images and texts as vLLM, SGLang, Infinity and others speak them",
  }),
  model: z.string().min(1).meta({ description: "as the server calls it" }),
  ...connection,
  longestSide: z.int().positive().optional().meta({
    description: "no side of an image is sent longer than this, in pixels; 1024",
  }),
  pricePerMillionTokens: dollars.optional().meta({
    description: "US dollars for a million tokens",
  }),
});

const recorded = z.strictObject({
  provider: z.literal("recorded").meta({ description: "what a model said in a run, again" }),
  model: z.string().min(1).meta({ description: "the folder of the run" }),
  revision: z.string().min(1).optional().meta({
    description: "which of the run's models, such as lab:vqa",
  }),
});

const masks = z.strictObject({
  provider: z.literal("masks").meta({ description: "masks that were made elsewhere" }),
  model: z.string().min(1).meta({ description: "the table or folder of the masks" }),
});

const segmentHttp = z.strictObject({
  provider: z.literal("segment-http").meta({ description: "a segmenter or detector behind HTTP" }),
  model: z.string().min(1).meta({ description: "its address, such as http://localhost:8100" }),
  revision: z.string().min(1).optional().meta({ description: "which model it has, for records" }),
  keyVariable: z.string().min(1).optional().meta({
    description: "the environment variable that holds its key",
  }),
  concurrency: z.int().min(1).optional().meta({ description: "calls at once; 4" }),
  timeoutSeconds: seconds.optional().meta({ description: "for an answer; 120" }),
});

/** Schema of touchstone.config.yaml: what this version uses and nothing else. */
export const configurationSchema = z
  .strictObject({
    score: z
      .strictObject({
        models: z.array(z.string().min(1)).min(1).optional().meta({
          description: "what --model is where it is not given: provider:model or names of models",
        }),
        metrics: z.array(z.string().min(1)).min(1).optional().meta({
          description: "what --metric is where it is not given: vqa-score, or vqa-score=MODEL",
        }),
      })
      .optional()
      .meta({ description: "what score does where its flags do not say" }),
    models: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "a name in small letters, digits and dashes"),
        z.discriminatedUnion("provider", [
          chatModel,
          hostedEmbedder,
          localModel,
          labModel,
          bridgedModel,
          pythonGenerator,
          diffusers,
          ...imageServices,
          recorded,
          masks,
          segmentHttp,
        ]),
      )
      .optional()
      .meta({ description: "models by a short name that --model takes" }),
    judges: z
      .record(z.string().min(1), z.string().min(1))
      .optional()
      .meta({ description: "saved judges by a short name that judge --judge takes: their files" }),
    budget: z
      .strictObject({
        maxCalls: z.int().min(0).optional().meta({
          description: "what --max-calls is where it is not given",
        }),
        maxCost: dollars.optional().meta({
          description: "what --max-cost is where it is not given, in US dollars",
        }),
        maxMinutes: z.number().min(0).optional().meta({
          description: "what --max-minutes is where it is not given",
        }),
      })
      .optional()
      .meta({ description: "what each verb that asks models may spend at most" }),
    cache: z
      .strictObject({
        enabled: z.boolean().optional().meta({
          description: "false: ask hosted models again what they have answered before",
        }),
        directory: z.string().min(1).optional().meta({
          description: "where replies are kept; the user's folder for caches",
        }),
      })
      .optional()
      .meta({ description: "replies of hosted models, kept for all runs" }),
  })
  .meta({
    title: "touchstone.config.yaml",
    description: "Settings of touchstone. Flags and the environment come first.",
  });

/** The settings of a folder. */
export type Configuration = z.output<typeof configurationSchema>;

/** One entry of `models`. */
export type ConfiguredModel = NonNullable<Configuration["models"]>[string];

/** The model that an entry names: its workflow where it has one, else whatever the server has loaded. */
export const namedIn = ({
  model,
  workflow = "loaded",
}: {
  readonly model?: string | undefined;
  readonly workflow?: string;
}): string => model ?? workflow;

/** An entry for a hosted model. */
export type HostedModelSettings = z.output<typeof chatModel>;
export type HostedEmbedderSettings = z.output<typeof hostedEmbedder>;

/** An entry for a model behind Python. */
export type BridgedModelSettings = z.output<typeof bridgedModel>;

/** Entries for generators in Python. */
export type PythonGeneratorSettings = z.output<typeof pythonGenerator>;
export type DiffusersSettings = z.output<typeof diffusers>;

/** How replies are kept. */
export type CacheSettings = NonNullable<Configuration["cache"]>;
