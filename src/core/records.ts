import { z } from "zod";
import type { JsonObject } from "./json.js";
import type { Hash, Key } from "./keys.js";
import { unscoredReasons } from "./unscored.js";

/**
 * The record schemas. A record is one thing that was collected: immutable, flat, one JSON line.
 * `key` names it (a hash of what determines it), `attempt` counts the askings; of several
 * attempts under one key the latest counts. `status` says whether there is an answer.
 */
export const recordSchemaVersion = 1;

const key = z.string().regex(/^[0-9a-f]{32}$/) as unknown as z.ZodType<Key>;
const hash = z.string().regex(/^[0-9a-f]{64}$/) as unknown as z.ZodType<Hash>;

/** What a number was made of; each metric says what its own are. */
const details = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;

/** Where a model is reached that is not on this machine. */
const baseUrl = z.string();

const envelope = {
  key,
  /** The step that collected it, as `name@version`. */
  step: z.string(),
  attempt: z.int().positive(),
};

const unscored = {
  status: z.literal("unscored"),
  reason: z.enum(unscoredReasons),
  retryable: z.boolean(),
  detail: z.string(),
};

/** Adds the envelope and both endings (done, unscored) to a record type's own members. */
function recordSchema<
  Type extends string,
  About extends z.ZodRawShape,
  Outcome extends z.ZodRawShape,
>(type: Type, about: About, outcome: Outcome) {
  // The order of members here is their order in a line of JSON.
  const shared = {
    schema: z.literal(recordSchemaVersion),
    type: z.literal(type),
    ...envelope,
    ...about,
  };
  return z.discriminatedUnion("status", [
    z.object({ ...shared, status: z.literal("done"), ...outcome }),
    z.object({ ...shared, ...unscored }),
  ]);
}

export const promptSplits = ["train", "evaluation", "human"] as const;

/**
 * A contrastive prompt (ProtoBias, section 3): `text` names the hypernym; `correct` the
 * non-prototypical member with the knob right; `adversarial` the prototypical member with the
 * knob wrong. The two `control` sentences swap the members, so that a knob error can be seen
 * without a prototype conflict.
 */
const promptRecord = recordSchema(
  "prompt",
  {
    benchmark: z.literal("prototypicality"),
    split: z.enum(promptSplits),
    domain: z.string(),
    category: z.string(),
    nonPrototype: z.string(),
    prototype: z.string(),
    knob: z.string(),
    right: z.string(),
    wrong: z.string(),
    extra: z.string(),
    environment: z.string(),
    attribute: z.string().optional(),
    writer: z.string(),
  },
  {
    text: z.string(),
    correct: z.string(),
    adversarial: z.string(),
    controlCorrect: z.string(),
    controlAdversarial: z.string(),
  },
);

/** What a text is made of: its entities, each with the attributes that the text gives it. */
const structure = z.array(z.object({ entity: z.string(), attributes: z.array(z.string()) })).min(1);

/**
 * Something with two entities or more and attributes of their own (L-VQAScore, section 3), such as
 * an outfit. `text` says it; `swapped` says it with each entity's attributes on another one, and
 * `swappedEntities` is that as a structure: every word is kept and no binding.
 */
const descriptionRecord = recordSchema(
  "description",
  {
    benchmark: z.literal("attribute-confusion"),
    /** The list that it is from, such as "outfits". */
    set: z.string(),
    /** The wording around the entities, with {list} where they go. */
    frame: z.string(),
    entities: structure,
  },
  { text: z.string(), swapped: z.string(), swappedEntities: structure },
);

export const imageRoles = [
  "correct",
  "adversarial",
  "control-correct",
  "control-adversarial",
] as const;

/** Which of a contrastive prompt's four sentences an image was made from. */
export type ImageRole = (typeof imageRoles)[number];

/** An image was made from `text`, the `sample`-th for this prompt (or description) and role. */
const imageRecord = recordSchema(
  "image",
  {
    prompt: key,
    role: z.enum([...imageRoles, "description"]),
    sample: z.int().nonnegative(),
    text: z.string(),
    seed: z.int().nonnegative(),
    model: z.string(),
    baseUrl: baseUrl.optional(),
  },
  {
    image: hash,
    mediaType: z.string(),
    width: z.int().positive(),
    height: z.int().positive(),
    revisedPrompt: z.string().optional(),
  },
);

/**
 * A metric scored an image against `text`, which says `structure` where somebody gave one. `of` is
 * the key of the image's record.
 */
const scoreRecord = recordSchema(
  "score",
  {
    of: key,
    image: hash,
    text: z.string(),
    structure: structure.optional(),
    metric: z.string(),
    metricVersion: z.int().positive(),
    convention: z.string().optional(),
    template: z.string().optional(),
    statistic: z.string(),
    model: z.string(),
    baseUrl: baseUrl.optional(),
    range: z.tuple([z.number(), z.number()]),
    direction: z.enum(["higher", "lower"]),
    trial: z.int().nonnegative(),
  },
  { value: z.number(), question: z.string().optional(), details: details.optional() },
);

const recordSchemas = {
  prompt: promptRecord,
  description: descriptionRecord,
  image: imageRecord,
  score: scoreRecord,
};

/** Any record, checked. */
export const anyRecord = z.discriminatedUnion("type", [
  promptRecord,
  descriptionRecord,
  imageRecord,
  scoreRecord,
]);

/**
 * What determines a record, as its step planned it: all but its envelope and its ending. With the
 * step's name and version it gives the record's key.
 */
export function aboutOf(record: AnyRecord): JsonObject {
  const [, withoutAnswer] = recordSchemas[record.type].options;
  const others = new Set(["schema", "type", ...Object.keys(envelope), ...Object.keys(unscored)]);
  const members = Object.keys(withoutAnswer.shape).filter((name) => !others.has(name));
  const values = new Map(Object.entries(record));
  const about = members.flatMap((name) =>
    values.get(name) === undefined ? [] : [[name, values.get(name)]],
  );
  // A record holds what its schema let through: JSON.
  return Object.fromEntries(about) as JsonObject;
}

export type RecordType = keyof typeof recordSchemas;
export type RecordOf<Type extends RecordType> = z.output<(typeof recordSchemas)[Type]>;
export type AnyRecord = RecordOf<RecordType>;

/** The record with its answer, as steps and conclusions want it. */
export type DoneRecord<Type extends RecordType> = Extract<RecordOf<Type>, { status: "done" }>;

type EnvelopeMember = "schema" | "type" | "key" | "step" | "attempt" | "status";

type DistributiveOmit<T, Members extends PropertyKey> = T extends unknown
  ? Omit<T, Members>
  : never;

/** What determines a record of this type, known before anything is asked. */
export type About<Type extends RecordType> = Omit<
  Extract<RecordOf<Type>, { status: "unscored" }>,
  EnvelopeMember | "reason" | "retryable" | "detail"
>;

/** What the answer adds. */
export type Outcome<Type extends RecordType> = DistributiveOmit<
  DoneRecord<Type>,
  EnvelopeMember | keyof About<Type>
>;
