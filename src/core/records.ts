import { z } from "zod";
import { auditRecord, queryRecord, refinementRecord } from "./audit-records.js";
import type { JsonObject } from "./json.js";
import { baseUrl, envelope, hash, key, recordSchema, share, unscored } from "./record-schema.js";
import { scoreParts } from "./score-parts.js";

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
    /** The members whose name is a plural: "Chopsticks are". */
    plural: z.array(z.string()).optional(),
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

/** A text's structure: its entities, each with the attributes that the text gives it. */
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

/** Role of an image that no run made: it was taken as it is, with the text that it should show. */
export const takenRole = "taken";

/** Role of an image that was made from a prompt of a table. */
export const promptRole = "prompt";

/** Roles of images in a stereotype audit: painted from a query, or from its rewrite. */
const auditRoles = ["query", "refined"] as const;

/** Which image of a pair, as the pair is named: by whoever labels it, and in tables. */
export const pairSides = ["a", "b"] as const;

/** How an image was made, by the names that its settings go by here. */
export const imageMaking = z.strictObject({
  steps: z.number().exactOptional(),
  /** Scale of classifier-free guidance. */
  guidance: z.number().exactOptional(),
  sampler: z.string().exactOptional(),
  /** Width and height in pixels, such as 1024x768, or the provider's word for them. */
  size: z.string().exactOptional(),
  negativePrompt: z.string().exactOptional(),
  /** Name and hash of the weights, as the server says. */
  weights: z.string().exactOptional(),
});
export type ImageMaking = Readonly<z.output<typeof imageMaking>>;

/**
 * An image was made from `text`, the `sample`-th for this prompt (description, query, refinement,
 * pair) and role; or, with the role degraded, from the stored image `madeFrom`, by making it worse.
 */
const imageRecord = recordSchema(
  "image",
  {
    prompt: key,
    role: z.enum([
      ...imageRoles,
      "description",
      ...auditRoles,
      ...pairSides,
      "degraded",
      takenRole,
      promptRole,
    ]),
    sample: z.int().nonnegative(),
    text: z.string(),
    madeFrom: hash.optional(),
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
    making: imageMaking.optional(),
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
  { value: z.number(), ...scoreParts },
);

/**
 * Two painters were chosen to paint one caption in one style (the preference benchmark). Its images have
 * the roles a and b. `caption` is the `number`-th that its source draws by `seed`.
 */
const pairRecord = recordSchema(
  "pair",
  {
    benchmark: z.literal("preference"),
    /** `name@version` of where captions come from. */
    source: z.string(),
    seed: z.int().nonnegative(),
    number: z.int().nonnegative(),
    style: z.string(),
    painterA: z.string(),
    painterB: z.string(),
  },
  {
    caption: z.string(),
    /** The subject of the caption, such as "animals". */
    subject: z.string(),
    seedA: z.int().nonnegative(),
    seedB: z.int().nonnegative(),
  },
);

/**
 * A judge was shown two images of one caption, the one that `firstShown` names at the first place,
 * and told by a prompt of a pool to say which is better. `wording` is a hash of all of the prompt's
 * words, so that a changed prompt is another question.
 */
const judgmentRecord = recordSchema(
  "judgment",
  {
    /** The giver's id of the pair. */
    pair: z.string(),
    caption: z.string(),
    imageA: hash,
    imageB: hash,
    firstShown: z.enum(pairSides),
    prompt: z.string(),
    /** `kind@version` of the pool. */
    pool: z.string(),
    wording: key,
    /** Whether the judge might call both equal. */
    ties: z.boolean(),
    /** "tokens": log-probabilities; "samples": what was said in this trial, as 0 and 1. */
    way: z.enum(["tokens", "samples"]),
    model: z.string(),
    baseUrl: baseUrl.optional(),
    trial: z.int().nonnegative(),
  },
  {
    /** Given that one of the answers was said, each was said with this probability; they sum to 1. */
    probabilities: z.object({ a: share, b: share, tie: share }),
    /** The probability of saying something else. */
    remaining: share,
    /** Answers that the model did not list: they count with the most that they can have had. */
    unlisted: z.array(z.enum([...pairSides, "tie"])).optional(),
  },
);

/**
 * A judge was shown one image with a text and told by a prompt of a pool to answer a question of yes or
 * no about it, or to rate it. What the probabilities are of stands in `answers`: yes and no, or the
 * ratings from the lowest up.
 */
const imageJudgmentRecord = recordSchema(
  "image-judgment",
  {
    task: z.enum(["yes-no", "rating"]),
    /** The giver's id of the item. */
    item: z.string(),
    /** The question, or the text that the image is held against. */
    text: z.string(),
    image: hash,
    answers: z.array(z.string()).min(2),
    /** Which of the answers the prompt names first. */
    firstNamed: z.string(),
    prompt: z.string(),
    /** `name@version` of the pool. */
    pool: z.string(),
    wording: key,
    /** As of a judgment; "probability": a question answerer gave P(yes) itself. */
    way: z.enum(["tokens", "samples", "probability"]),
    model: z.string(),
    baseUrl: baseUrl.optional(),
    trial: z.int().nonnegative(),
  },
  {
    /** Probability of each of `answers`, given that one of them was said; they sum to 1. */
    probabilities: z.array(share).min(2),
    /** The probability of saying something else. */
    remaining: share,
    /** Answers that the model did not list: they count with the most that they can have had. */
    unlisted: z.array(z.string()).optional(),
  },
);

/** A model said where an entity is in an image. */
const maskRecord = recordSchema(
  "mask",
  { image: hash, entity: z.string(), model: z.string(), baseUrl: baseUrl.optional() },
  {
    /** COCO's run lengths, column by column: null where the entity is nowhere. */
    mask: z
      .object({ size: z.tuple([z.int(), z.int()]), counts: z.array(z.int().nonnegative()) })
      .nullable(),
    /** The share of the image inside it. */
    inside: share,
  },
);

/** The schema of each type of record: with its answer, and unscored. */
export const recordSchemas = {
  prompt: promptRecord,
  description: descriptionRecord,
  image: imageRecord,
  score: scoreRecord,
  pair: pairRecord,
  judgment: judgmentRecord,
  "image-judgment": imageJudgmentRecord,
  mask: maskRecord,
  query: queryRecord,
  audit: auditRecord,
  refinement: refinementRecord,
};

/** Any record, checked. */
export const anyRecord = z.discriminatedUnion("type", [
  promptRecord,
  descriptionRecord,
  imageRecord,
  scoreRecord,
  pairRecord,
  judgmentRecord,
  imageJudgmentRecord,
  maskRecord,
  queryRecord,
  auditRecord,
  refinementRecord,
]);

/** Checks a record as `anyRecord` does, in a third of the time: by the schema of its type and ending. */
export function checkedRecord(value: unknown): z.ZodSafeParseResult<AnyRecord> {
  const { type, status, details }: { type?: unknown; status?: unknown; details?: unknown } =
    Object(value);
  const checks = checksOf.get(type)?.[status === "done" ? 0 : 1];
  if (checks === undefined) return anyRecord.safeParse(value);
  if (++checks.count === compiledFrom) checks.compiled = compiledWithoutDetails(checks.schema);
  const { schema, compiled = schema } = checks;
  return (details === undefined ? compiled : schema).safeParse(value);
}

/** To compile a schema takes as long as to check so many records by it. */
const compiledFrom = 3000;

/** Details may hold any JSON, and what holds that can't be compiled. */
function compiledWithoutDetails({ shape }: z.ZodObject): z.ZodType<AnyRecord> {
  const { details: _, ...others } = shape;
  // Of a record without details both schemas make the same.
  return z.compile(z.object(others)) as unknown as z.ZodType<AnyRecord>;
}

const checksOf = new Map<unknown, RecordChecks[]>(
  Object.entries(recordSchemas).map(([type, { options }]) => [
    type,
    options.map((schema) => ({ schema, count: 0 })),
  ]),
);

interface RecordChecks {
  readonly schema: (typeof recordSchemas)[RecordType]["options"][number];
  compiled?: z.ZodType<AnyRecord>;
  /** How many records were checked. */
  count: number;
}

/**
 * Picks what determines a record, as its step planned it: all but its envelope and its ending. With the
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

/**
 * Picks what of a record's subject its key is made of: of an image that was taken not the text and the model that the
 * table has beside it, so that a table may change them.
 */
export function determinantsOf(about: JsonObject): JsonObject {
  if (about.role !== takenRole) return about;
  const { text: _, model: __, ...determinants } = about;
  return determinants;
}

export type RecordType = keyof typeof recordSchemas;
export type RecordOf<Type extends RecordType> = z.output<(typeof recordSchemas)[Type]>;
export type AnyRecord = RecordOf<RecordType>;

/** The record with its answer, as steps and conclusions want it. */
export type DoneRecord<Type extends RecordType> = Extract<RecordOf<Type>, { status: "done" }>;

type EnvelopeMember = "schema" | "type" | "status" | keyof typeof envelope;

type DistributiveOmit<T, Members extends PropertyKey> = T extends unknown
  ? Omit<T, Members>
  : never;

/** Members that determine a record of this type, known before anything is asked. */
export type About<Type extends RecordType> = Omit<
  Extract<RecordOf<Type>, { status: "unscored" }>,
  EnvelopeMember | keyof typeof unscored
>;

/** Members that the answer adds. */
export type Outcome<Type extends RecordType> = DistributiveOmit<
  DoneRecord<Type>,
  EnvelopeMember | keyof About<Type>
>;
