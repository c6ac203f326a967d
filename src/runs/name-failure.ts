import { InputError, TouchstoneError } from "../core/errors.js";
import { canonicalJson, type JsonObject } from "../core/json.js";

/** The error that also says in which step and task something failed; a full disk has nothing to do with either. */
export function named(error: unknown, what: string): Error {
  if (error instanceof InputError) {
    const { hint, problems } = error;
    return new InputError(`${error.message} (${what})`, {
      ...(hint === undefined ? {} : { hint }),
      problems,
      cause: error,
    });
  }
  if (error instanceof TouchstoneError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`${what}: ${message}`, { cause: error });
}

/** A task's subject, as far as it fits a message: hashes by their first digits. */
export function brief(about: JsonObject): string {
  const text = canonicalJson(about).replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
