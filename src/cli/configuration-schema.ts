import { z } from "zod";

const localModel = z.strictObject({
  provider: z.literal("transformers-js").meta({
    description: "CLIP models on this machine; needs the package @huggingface/transformers",
  }),
  model: z.string().min(1).meta({
    description: "owner/name on the Hugging Face Hub, or the path of a folder (./my-clip)",
  }),
  revision: z.string().min(1).optional().meta({ description: "a branch, tag or commit" }),
  cacheDirectory: z.string().min(1).optional().meta({
    description: "where downloaded files are kept",
  }),
  offline: z.boolean().optional().meta({
    description: "use only what was downloaded before",
  }),
});

const labModel = z.strictObject({
  provider: z.literal("lab").meta({
    description: "the models of the embedded lab; they judge only what the lab painted",
  }),
  model: z.string().min(1).meta({ description: "such as vqa" }),
});

/** What touchstone.config.yaml may hold: what this version uses and nothing else. */
export const configurationSchema = z
  .strictObject({
    score: z
      .strictObject({
        models: z.array(z.string().min(1)).min(1).optional().meta({
          description: "what --model is where it is not given: provider:model or names of models",
        }),
        metrics: z.array(z.string().min(1)).min(1).optional().meta({
          description: "what --metric is where it is not given",
        }),
      })
      .optional()
      .meta({ description: "what score does where its flags do not say" }),
    models: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "a name in small letters, digits and dashes"),
        z.discriminatedUnion("provider", [localModel, labModel]),
      )
      .optional()
      .meta({ description: "models by a short name that --model takes" }),
  })
  .meta({
    title: "touchstone.config.yaml",
    description: "Settings of touchstone. Flags and the environment come first.",
  });

/** The settings of a folder. */
export type Configuration = z.output<typeof configurationSchema>;

/** One entry of `models`. */
export type ConfiguredModel = NonNullable<Configuration["models"]>[string];
