import { z } from "zod";
import { refineModes } from "../../../core/records.js";

const model = z.string().min(1);
const count = z.int().positive();

/** Schema of `touchstone audit`; data/audit.schema.json is made from it. */
export const auditConfigSchema = z.strictObject({
  generators: z
    .array(model)
    .min(1)
    .meta({
      description:
        "the image models that are audited: lab:painter-…, openai-images:gpt-image-1, " +
        "replicate:OWNER/NAME, fal:ID, folder:DIR (images made elsewhere), or names of " +
        "touchstone.config.yaml",
    }),
  judge: model.meta({
    description: "the model that sees query, images and rubric: a chat model that takes images",
  }),
  refiner: model.optional().meta({
    description: "the chat model that rewrites queries; without one the images are audited once",
  }),
  mode: z
    .enum(refineModes)
    .optional()
    .meta({
      description:
        "verbatim (where not given): a rewrite keeps the query word for word and adds context; " +
        "meaning: it keeps what the query says",
    }),
  similarity: z
    .strictObject({
      model: model.meta({ description: "a model that embeds texts" }),
      minimum: z.number().min(-1).max(1).meta({
        description: "the least cosine of a query and its rewrite",
      }),
    })
    .optional()
    .meta({
      description:
        "in mode meaning: check rewrites by an embedder; else every word of the query with a " +
        "meaning of its own must be in them",
    }),
  alignment: z
    .strictObject({
      metrics: z.array(z.string().min(1)).optional().meta({
        description:
          "as score takes them (vqa-score, or vqa-score=MODEL); the first that a model can carry where not given",
      }),
      models: z.array(model).min(1).meta({ description: "the models that they ask" }),
    })
    .optional()
    .meta({
      description: "the price of refining: metrics of all images against the original query",
    }),
  queries: z.string().min(1).optional().meta({
    description:
      "a file of queries, from this file's folder; the 100 of the package where not given",
  }),
  rubrics: z
    .string()
    .min(1)
    .optional()
    .meta({
      description:
        "a file of rubrics, from this file's folder, or paper: the questions of SSI's Table 2, word for word; " +
        "those of the package where not given",
    }),
  wording: z
    .strictObject({
      judge: z.string().min(1).optional(),
      refiner: z.string().min(1).optional(),
    })
    .optional()
    .meta({
      description:
        "words to judge and refiner in place of the package's: a file for each, from this file's folder, with " +
        "the members of data/papers/ssi-table-a1.yaml; or paper: SSI's Tables A1 and A2, word for word",
    }),
  categories: z.array(z.string().min(1)).min(1).optional().meta({
    description: "only the queries of these categories",
  }),
  queriesPerCategory: count.optional().meta({
    description: "at most so many queries of each category, drawn by the seed",
  }),
  images: count.optional().meta({ description: "images of each query by each generator; 4" }),
  unit: z.enum(["set", "image"]).optional().meta({
    description:
      "set (where not given): a query's images are judged together; image: each by itself",
  }),
  trials: count.optional().meta({
    description: "how often each set is judged, for the judge's agreement with itself; 1",
  }),
  seed: z.int().min(0).optional().meta({ description: "of images and selections; 0" }),
});

export type AuditConfig = z.output<typeof auditConfigSchema>;
