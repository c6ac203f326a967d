import type { UnscoredReason } from "../../core/unscored.js";
import type { FinalRefusal } from "./final-refusal.js";

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
  /** What no other attempt would change, where the provider says so. */
  readonly final: FinalRefusal | undefined;
  /** Whether an answer came that can't be read: it may well be paid for. */
  readonly isBilled: boolean;

  constructor(
    kind: FailureKind,
    message: string,
    details: {
      status?: number;
      providerCode?: string | undefined;
      wait?: number | undefined;
      final?: FinalRefusal | undefined;
      isBilled?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "CallFailure";
    this.kind = kind;
    this.status = details.status;
    this.providerCode = details.providerCode;
    this.wait = details.wait;
    this.final = details.final;
    this.isBilled = details.isBilled ?? false;
  }
}

/** Whether the account has no money: it is not helped by waiting. */
export const isOutOfCredit = ({ status, final }: CallFailure): boolean =>
  status === 402 || final === "credit";

/** Whether the same call may succeed when it is made again. */
export function mayPass({ kind, status = 0, final }: CallFailure): boolean {
  if (kind === "redirect" || final !== undefined) return false;
  if (kind !== "status") return true;
  return status === 429 || status === 408 || status >= 500;
}

/** Whether the failure says that the provider itself is down, not that this call is unwelcome. */
export const isOutage = ({ kind, status = 0, final }: CallFailure): boolean =>
  final === undefined && (kind === "connection" || kind === "timeout" || status >= 500);

/** Reason for which an item is unscored when a call has failed for good. */
export function reasonOf({ kind, status }: CallFailure): UnscoredReason {
  if (status === 429) return "rate-limited";
  return kind === "timeout" || status === 408 || status === 504 ? "timeout" : "provider-error";
}
