import type { z } from "zod";
import { NoAnswer } from "../../core/unscored.js";

/** A refusal in OpenAI's error format. */
export class WireError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 413 | 500;
  readonly code: string;
  readonly param: string | null;

  constructor(
    status: WireError["status"],
    message: string,
    { code = "invalid_request", param = null }: { code?: string; param?: string | null } = {},
  ) {
    super(message);
    this.name = "WireError";
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** `{ error: { message, type, param, code } }` and its HTTP status, for whatever was thrown. */
export function wireErrorOf(error: unknown) {
  const known =
    error instanceof WireError
      ? error
      : error instanceof NoAnswer
        ? new WireError(400, error.message, { code: error.reason.replaceAll("-", "_") })
        : // What went wrong inside is nobody's business who asks over the network.
          new WireError(500, "The lab's server failed at this request", { code: "internal" });
  const { status, message, param, code } = known;
  const type = status === 500 ? "server_error" : "invalid_request_error";
  return { status, body: { error: { message, type, param, code } } };
}

/** The body of a request, checked. @throws WireError that names the first member that does not fit. */
export function checkedBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue === undefined || issue.path.length === 0 ? null : issue.path.join(".");
  throw new WireError(400, `${param ?? "The body"}: ${issue?.message ?? "is not as expected"}`, {
    param,
  });
}
