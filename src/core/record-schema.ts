import { z } from "zod";
import type { JsonObject } from "./json.js";
import type { Hash, Key } from "./keys.js";
import { unscoredReasons } from "./unscored.js";

/**
 * Version of the record schemas. A record is one thing that was collected: immutable, flat, one JSON line.
 * `key` is a hash of what determines it; `attempt` counts the requests, and the latest attempt of a key
 * counts. `status` says whether there is an answer.
 */
export const recordSchemaVersion = 1;

export const key = z.string().regex(/^[0-9a-f]{32}$/) as unknown as z.ZodType<Key>;
export const hash = z.string().regex(/^[0-9a-f]{64}$/) as unknown as z.ZodType<Hash>;

export const jsonObject = z.record(z.string(), z.json()) as unknown as z.ZodType<JsonObject>;

/** Where a model is reached that is not on this machine. */
export const baseUrl = z.string();

export const envelope = {
  key,
  /** The step that collected it, as `name@version`. */
  step: z.string(),
  attempt: z.int().positive(),
  /** Models that servers say have answered, where they are others than the one asked. */
  answeredBy: z.array(z.string()).exactOptional(),
  /** Names of the state in which the model asked has answered, where servers say it. */
  snapshots: z.array(z.string()).exactOptional(),
};

export const unscored = {
  status: z.literal("unscored"),
  reason: z.enum(unscoredReasons),
  retryable: z.boolean(),
  detail: z.string(),
};

/** Adds the envelope and both endings (done, unscored) to a record type's own members. */
export function recordSchema<
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

/** A probability. */
export const share = z.number().min(0).max(1);
