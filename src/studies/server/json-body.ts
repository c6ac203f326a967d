import type { Context } from "hono";
import { StudyError } from "./study-error.js";

/** @throws StudyError 400 where the body is no JSON, as a form's never is. */
export async function jsonOf(context: Context): Promise<unknown> {
  const type = context.req.header("Content-Type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw new StudyError(400, "malformed", "Expected a body of Content-Type application/json.");
  }
  const text = await context.req.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new StudyError(400, "malformed", "Expected a body of JSON.");
  }
}
