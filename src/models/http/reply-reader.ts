import type { z } from "zod";
import { CallFailure } from "./call-failure.js";

/**
 * Checks replies against what a provider promises.
 *
 * @param what the reply should be, for the message
 * @returns a function that throws CallFailure "faulty-reply" where a reply does not fit.
 */
export const replyReader =
  <Schema extends z.ZodType>(schema: Schema, what: string) =>
  (json: unknown): z.output<Schema> => {
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    const { path = [], message } = parsed.error.issues[0] ?? {};
    throw new CallFailure("faulty-reply", `no ${what}: ${path.join(".") || "it"}: ${message}`);
  };
