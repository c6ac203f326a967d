import { InputError, TouchstoneError } from "../../core/errors.js";
import { systemCode } from "../file-error.js";

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "");

/** The HTTP status of a refusal; undefined where no answer came. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== "object" || metadata === null) return undefined;
  return "httpStatusCode" in metadata && typeof metadata.httpStatusCode === "number"
    ? metadata.httpStatusCode
    : undefined;
}

const nobodyThere = ["ECONNREFUSED", "EHOSTUNREACH", "EAI_AGAIN"];

/** Whether somebody took the call, rather than nobody was there. */
export const wasTaken = (error: unknown): boolean => !nobodyThere.includes(systemCode(error) ?? "");

/** An object that is not there; a bucket that is not is an error of its own, where the service says so. */
export const isNotThere = (error: unknown): boolean =>
  ["NoSuchKey", "NotFound"].includes(nameOf(error));

/** The service does not answer, or asks to come again. */
export function isAwayFrom(error: unknown): boolean {
  if (error instanceof TouchstoneError) return false;
  const status = statusOf(error) ?? 0;
  return (
    status >= 500 ||
    status === 429 ||
    ["SlowDown", "RequestTimeout", "TimeoutError", "Throttling"].includes(nameOf(error)) ||
    [...nobodyThere, "ECONNRESET", "EPIPE", "ETIMEDOUT"].includes(systemCode(error) ?? "") ||
    // Its answer was cut off.
    (error instanceof Error && /aborted|premature close|socket hang up/i.test(error.message))
  );
}

const keysHint =
  "Keys come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN)";

const refusals: Readonly<Record<string, { readonly reason: string; readonly hint: string }>> = {
  NoSuchBucket: {
    reason: "there is no such bucket",
    hint: "Make the bucket first: touchstone makes none.",
  },
  AccessDenied: {
    reason: "the keys have no right to",
    hint: "docs/scale.md lists the rights: s3:GetObject, s3:PutObject and s3:ListBucket",
  },
  InvalidAccessKeyId: { reason: "the service does not know the key", hint: keysHint },
  SignatureDoesNotMatch: { reason: "the secret is not that of the key", hint: keysHint },
  ExpiredToken: { reason: "the session of the keys has ended", hint: keysHint },
  CredentialsProviderError: { reason: "no keys were found", hint: keysHint },
  PermanentRedirect: {
    reason: "the bucket is in another region",
    hint: "AWS_REGION names its region.",
  },
  AuthorizationHeaderMalformed: {
    reason: "the bucket is in another region",
    hint: "AWS_REGION names its region.",
  },
};

/** Turns an error of S3 into one for a person, without the service's message: some repeat what was sent. */
export function s3Error(
  error: unknown,
  { doing, address }: { readonly doing: "read" | "write" | "list"; readonly address: string },
): unknown {
  if (error instanceof TouchstoneError || !(error instanceof Error)) return error;
  if (isAwayFrom(error)) {
    const status = statusOf(error);
    const said = systemCode(error) ?? (status === undefined ? error.name : `HTTP ${status}`);
    return new TouchstoneError(
      "store",
      `Could not ${doing} ${address}: the service is away (${said})`,
      {
        hint: "Is AWS_ENDPOINT_URL right, and the service up? Finished work is kept.",
        cause: error,
      },
    );
  }
  if (systemCode(error) === "ENOTFOUND") {
    return new InputError(`Could not ${doing} ${address}: its service has no address`, {
      hint: "AWS_ENDPOINT_URL and AWS_REGION say where it is.",
      cause: error,
    });
  }
  if (error.message === "Region is missing") {
    return new InputError(`Could not ${doing} ${address}: no region is given`, {
      hint: "AWS_REGION names the bucket's region; us-east-1 for most services beside AWS's",
    });
  }
  const status = statusOf(error);
  const denied = status === 403 || status === 401 ? refusals.AccessDenied : undefined;
  const refused = refusals[error.name] ?? (status === 301 ? refusals.PermanentRedirect : denied);
  const { reason, hint } = refused ?? { reason: `the service says ${error.name}`, hint: keysHint };
  return new InputError(`Could not ${doing} ${address}: ${reason}`, { hint, cause: error });
}
