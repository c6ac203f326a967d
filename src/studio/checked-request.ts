import type { z } from "zod";
import { Refusal } from "./refusal.js";

/** @throws Refusal for what is not asked as it must be. */
export function checkedRequest<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new Refusal(400, "request", `Expected another ${where || "body"}: ${issue?.message ?? ""}`);
}
