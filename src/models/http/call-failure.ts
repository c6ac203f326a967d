import type { UnscoredReason } from "../../core/unscored.js";

export type FailureKind = "status" | "redirect" | "connection" | "timeout" | "faulty-reply";

/** Why one attempt at a call brought nothing. */
export class CallFailure extends Error {
  readonly kind: FailureKind;
  /** The HTTP status, or the one that an error in a reply names. */
  readonly status: number | undefined;
  /** The provider's code of the error, such as `insufficient_quota`. */
  readonly providerCode: string | undefined;
  /** How many milliseconds the provider asks to wait. */
  readonly wait: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    details: { status?: number; providerCode?: string; wait?: number; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "CallFailure";
    this.kind = kind;
    this.status = details.status;
    this.providerCode = details.providerCode;
    this.wait = details.wait;
  }
}

/** An account without money is not helped by waiting. */
const outOfCredit = ["insufficient_quota", "billing_hard_limit_reached"];

export const isOutOfCredit = ({ status, providerCode = "" }: CallFailure): boolean =>
  status === 402 || outOfCredit.includes(providerCode);

/** Whether the same call may succeed when it is made again. */
export function mayPass(failure: CallFailure): boolean {
  const { kind, status = 0 } = failure;
  if (kind === "redirect") return false;
  if (kind !== "status") return true;
  return (status === 429 && !isOutOfCredit(failure)) || status === 408 || status >= 500;
}

/** Whether the failure says that the provider itself is down, not that this call is unwelcome. */
export const isOutage = ({ kind, status = 0 }: CallFailure): boolean =>
  kind === "connection" || kind === "timeout" || status >= 500;

/** Reason for which an item is unscored when a call has failed for good. */
export function reasonOf({ kind, status }: CallFailure): UnscoredReason {
  if (status === 429) return "rate-limited";
  return kind === "timeout" || status === 408 || status === 504 ? "timeout" : "provider-error";
}
