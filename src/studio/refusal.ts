import type { z } from "zod";
import { TouchstoneError } from "../core/errors.js";
import type { Problem } from "./api.js";

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 503;

/** A request that is answered with an error: `code` is stable, the message says what was expected. */
export class Refusal extends TouchstoneError {
  readonly status: RefusalStatus;

  constructor(
    status: RefusalStatus,
    code: string,
    message: string,
    options: { hint?: string; cause?: unknown } = {},
  ) {
    super(code, message, options);
    this.status = status;
  }
}

/** Turns an error into an answer. Of a fault of ours no more is said than that it was one. */
export function problemOf(error: unknown): { readonly status: number; readonly body: Problem } {
  if (error instanceof Refusal) return { status: error.status, body: bodyOf(error) };
  if (error instanceof TouchstoneError) {
    // A store that is away may be there again in a moment.
    return { status: error.code === "store" ? 503 : 409, body: bodyOf(error) };
  }
  const message = "Something went wrong in the studio; its terminal says what";
  return { status: 500, body: { error: { code: "fault", message } } };
}

const bodyOf = ({ code, message, hint }: TouchstoneError): Problem => ({
  error: { code, message, ...(hint === undefined ? {} : { hint }) },
});

/** @throws Refusal for what is not asked as it must be. */
export function checkedRequest<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new Refusal(400, "request", `Expected another ${where || "body"}: ${issue?.message ?? ""}`);
}
