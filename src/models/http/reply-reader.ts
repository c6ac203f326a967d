import type { z } from "zod";
import { lackAt } from "../../core/read-json.js";
import { NoAnswer } from "../../core/unscored.js";
import { CallFailure } from "./call-failure.js";

/**
 * Checks replies against what a provider promises.
 *
 * @param what the reply should be, for the message
 * @returns a function that throws CallFailure "faulty-reply" where a reply does not fit; NoAnswer
 *   "unparsable" where it says something twice or in a number too large: asked again it would do the
 *   same.
 */
export const replyReader =
  <Schema extends z.ZodType>(schema: Schema, what: string) =>
  (json: unknown): z.output<Schema> => {
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    const { path = [], message } = parsed.error.issues[0] ?? {};
    const where = `no ${what}: ${path.map(String).join(".") || "it"}`;
    const lack = lackAt(json, path);
    if (lack !== undefined) throw new NoAnswer("unparsable", `${where}: ${lack}`);
    throw new CallFailure("faulty-reply", `${where}: ${message}`, { isBilled: true });
  };
