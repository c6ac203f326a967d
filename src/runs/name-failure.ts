import { InputError, TouchstoneError } from "../core/errors.js";
import { canonicalJson, type JsonObject } from "../core/json.js";

/** Says in which step and task something failed; a full disk has nothing to do with either. */
export async function naming<Result>(
  what: () => string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) {
      const { hint, problems } = error;
      throw new InputError(`${error.message} (${what()})`, {
        ...(hint === undefined ? {} : { hint }),
        problems,
        cause: error,
      });
    }
    if (error instanceof TouchstoneError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${what()}: ${message}`, { cause: error });
  }
}

/** A task's subject, as far as it fits a message: hashes by their first digits. */
export function brief(about: JsonObject): string {
  const text = canonicalJson(about).replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b/g, "$1…");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
