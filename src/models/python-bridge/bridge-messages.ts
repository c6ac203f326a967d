import { z } from "zod";
import { InputError, type TouchstoneError } from "../../core/errors.js";
import { readJson } from "../../core/read-json.js";
import { NoAnswer, type UnscoredReason } from "../../core/unscored.js";

/** The protocol that this side speaks; `bridge/touchstone_bridge/serve.py` describes it. */
export const protocolVersion = 1;

export const abilities = [
  "reward",
  "probability-of-yes",
  "embed-image",
  "embed-text",
  "localize",
] as const;

/** Request that a backend can answer. */
export type Ability = (typeof abilities)[number];

/** A bridge's first message, before it is asked anything. */
export const helloSchema = z.object({
  type: z.literal("hello"),
  protocol: z.number(),
  version: z.string(),
  backend: z.string(),
  abilities: z.array(z.string()),
});

const failureSchema = z.object({
  kind: z.string(),
  message: z.string(),
  hint: z.string().optional(),
});

/** The answer to one item; the one before or behind it may be none. */
export const resultSchema = z.union([
  z.object({ value: z.union([z.number(), z.array(z.number()).min(1)]) }),
  z.object({ error: failureSchema }),
]);

/** An answer to one request. */
export const replySchema = z.union([
  z.object({ id: z.int(), error: failureSchema }),
  z.object({ id: z.int(), results: z.array(z.unknown()) }),
  z.object({ id: z.int(), result: z.record(z.string(), z.unknown()) }),
]);

export type Reply = z.output<typeof replySchema>;
type Failure = z.output<typeof failureSchema>;

/** A backend's message once its model is loaded. */
export const factsSchema = z.object({
  packages: z.record(z.string(), z.string().nullable()),
  device: z.string().optional(),
  logitScale: z.number().positive().optional(),
  /** A user's own function as it describes itself. */
  metric: z.record(z.string(), z.unknown()).optional(),
});

export type Facts = z.output<typeof factsSchema>;

const reasons: ReadonlyMap<string, UnscoredReason> = new Map([
  ["bad-input", "bad-input"],
  ["not-supported", "not-applicable"],
  ["not-finite", "unparsable"],
]);

const ofInstallation = ["missing-package", "load-failed"];

/** Error of a failure: one of the installation ends the work; any other is no answer. */
export function errorOf({ kind, message, hint }: Failure): TouchstoneError | NoAnswer {
  if (!ofInstallation.includes(kind)) {
    return new NoAnswer(reasons.get(kind) ?? "provider-error", message);
  }
  return new InputError(message, hint === undefined ? {} : { hint });
}

/** The value of a line, as `readJson` has it; `undefined` where it is no JSON. */
export function jsonOf(line: string): unknown {
  try {
    return readJson(line);
  } catch {
    return undefined;
  }
}
