import type { JsonObject } from "../core/json.js";
import type { Key } from "../core/keys.js";
import { isUnread, NoAnswer } from "../core/unscored.js";

type Trace = (entry: JsonObject) => void;

/** Forgets replies that a cache keeps, by the keys that its trace entries name. */
export type ForgetReplies = (keys: readonly Key[]) => Promise<void>;

/**
 * Asks, and where replies that were kept give no answer that can be read, forgets them and asks once
 * more.
 *
 * @param options.forget undefined: kept replies stay.
 */
export async function askAnew<Context extends { readonly trace: Trace }, Answer>(
  ask: (context: Context) => Promise<Answer>,
  { context, forget }: { readonly context: Context; readonly forget: ForgetReplies | undefined },
): Promise<Answer> {
  if (forget === undefined) return ask(context);
  const kept: Key[] = [];
  const trace: Trace = (entry) => {
    if (entry.cached === true && typeof entry.key === "string") kept.push(entry.key as Key);
    context.trace(entry);
  };
  try {
    return await ask({ ...context, trace });
  } catch (error) {
    if (!(error instanceof NoAnswer) || !isUnread(error.reason) || kept.length === 0) throw error;
    await forget(kept);
    return ask(context);
  }
}
