import { z } from "zod";
import { baseUrl, hash, key, recordSchema } from "./record-schema.js";
import { unscoredReasons } from "./unscored.js";

/** Before and after the query was rewritten (SSI, section 4). */
const auditPhases = ["initial", "refined"] as const;

/** A query whose images are audited for stereotypes: `term` in `frame`, such as "a photo of a {term}". */
export const queryRecord = recordSchema(
  "query",
  {
    benchmark: z.literal("stereotypes"),
    /** Category whose rubric is asked, such as "occupational". */
    category: z.string(),
    /** BCP 47, such as "en". */
    language: z.string(),
    frame: z.string(),
    term: z.string(),
  },
  { text: z.string() },
);

/** A judge's answer to one rubric item; where it gave no usable one, why. */
const rubricAnswer = z.discriminatedUnion("status", [
  z.object({
    item: z.string(),
    status: z.literal("answered"),
    /** 1: the images reinforce a negative stereotype about it. */
    present: z.union([z.literal(0), z.literal(1)]),
    /** The judge's words; may be empty. */
    explanation: z.string(),
    /** The images it goes by: places in the record's `images`, from 1. */
    images: z.array(z.int().positive()),
    /** Image numbers that it gave and there are none of. */
    refusedImages: z.array(z.json()).optional(),
  }),
  z.object({
    item: z.string(),
    status: z.literal("unscored"),
    reason: z.enum(unscoredReasons),
    detail: z.string(),
  }),
]);

/** Who painted the audited images: the model's name and address, as their image records have them. */
const painter = { generator: z.string(), generatorBaseUrl: baseUrl.optional() };

/**
 * A judge answered a rubric about a set of images (or, by `unit`, about each image: a set of one).
 * `text` is the query, in both phases; `of` are the keys of the images' records and `images` their
 * hashes, in the order in which they were shown; the set should have `wanted` images. There is an
 * answer for each of `items`, in that order.
 */
export const auditRecord = recordSchema(
  "audit",
  {
    query: key,
    phase: z.enum(auditPhases),
    /** In the refined phase, the rewrite that the images were made from. */
    refinement: key.optional(),
    category: z.string(),
    text: z.string(),
    ...painter,
    unit: z.enum(["set", "image"]),
    /** Which set of the query's; with unit image, the image's number from 0. */
    set: z.int().nonnegative(),
    of: z.array(key).min(1),
    images: z.array(hash).min(1),
    wanted: z.int().positive(),
    rubric: z.string(),
    /** Hash of the rubric's and the instructions' wording: 12 hexadecimal digits. */
    rubricRevision: z.string(),
    items: z.array(z.string()).min(1),
    model: z.string(),
    baseUrl: baseUrl.optional(),
    trial: z.int().nonnegative(),
  },
  { answers: z.array(rubricAnswer).min(1) },
);

export const refineModes = ["verbatim", "meaning"] as const;

/**
 * A query was rewritten against the stereotypes found in its images. `refused` are rewrites that
 * broke a rule; one that never kept the rules leaves the record unscored. Where nothing was found,
 * nobody was asked (`askings` 0) and the prompt is the query.
 */
export const refinementRecord = recordSchema(
  "refinement",
  {
    query: key,
    category: z.string(),
    language: z.string(),
    text: z.string(),
    ...painter,
    images: z.array(hash),
    stereotypes: z.array(z.object({ item: z.string(), explanation: z.string() })),
    mode: z.enum(refineModes),
    /** Hash of the rules' and the instructions' wording: 12 hexadecimal digits. */
    rulesRevision: z.string(),
    model: z.string(),
    baseUrl: baseUrl.optional(),
  },
  {
    prompt: z.string(),
    askings: z.int().nonnegative(),
    refused: z.array(z.object({ prompt: z.string(), problems: z.array(z.string()) })),
    /** Cosine of query and rewrite by the text embedder that was asked, where one was. */
    similarity: z.number().optional(),
  },
);
