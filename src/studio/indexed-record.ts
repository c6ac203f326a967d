import { z } from "zod";
import type { Key } from "../core/keys.js";
import { unscoredReasons } from "../core/unscored.js";

/** What the index keeps of a record's line; all else is read from the line itself, when it is asked for. */
const named = {
  key: z.string().regex(/^[0-9a-f]{32}$/) as unknown as z.ZodType<Key>,
  attempt: z.number(),
  status: z.enum(["done", "unscored"]),
  reason: z.enum(unscoredReasons).optional(),
  retryable: z.boolean().optional(),
};
const model = { model: z.string(), baseUrl: z.string().optional() };

const indexed = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("image"),
    ...named,
    ...model,
    prompt: z.string(),
    role: z.string(),
    sample: z.number(),
    text: z.string(),
    image: z.string().optional(),
    width: z.number().optional(),
    height: z.number().optional(),
  }),
  z.object({
    type: z.literal("score"),
    ...named,
    ...model,
    of: z.string(),
    text: z.string(),
    metric: z.string(),
    convention: z.string().optional(),
    template: z.string().optional(),
    statistic: z.string(),
    range: z.tuple([z.number(), z.number()]),
    direction: z.enum(["higher", "lower"]),
    trial: z.number(),
    value: z.number().optional(),
  }),
  z.object({
    type: z.literal("prompt"),
    ...named,
    domain: z.string(),
    text: z.string().optional(),
  }),
  z.object({
    type: z.literal("description"),
    ...named,
    set: z.string(),
    text: z.string().optional(),
    swapped: z.string().optional(),
  }),
  z.object({ type: z.literal("pair"), ...named, subject: z.string().optional() }),
  z.object({ type: z.literal("query"), ...named, category: z.string() }),
]);

const anyRecord = z.object({ type: z.string(), ...named });

export type IndexedName = z.output<typeof anyRecord>;
export type IndexedRecord = z.output<typeof indexed>;
export type IndexedOf<Type extends IndexedRecord["type"]> = Extract<IndexedRecord, { type: Type }>;

const known: ReadonlySet<unknown> = new Set([
  "image",
  "score",
  "prompt",
  "description",
  "pair",
  "query",
]);

/** The line of a record: how it stands and, of a type that has a place in the gallery, what it says. */
export interface IndexedLine {
  readonly standing: IndexedName;
  readonly record: IndexedRecord | undefined;
}

/** Undefined for what is no record. */
export function indexedLine(value: unknown): IndexedLine | undefined {
  if (known.has(typeOf(value))) {
    const { data: record } = indexed.safeParse(value);
    return record === undefined ? undefined : { standing: record, record };
  }
  const { data: standing } = anyRecord.safeParse(value);
  return standing === undefined ? undefined : { standing, record: undefined };
}

const typeOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
