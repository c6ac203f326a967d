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

/** Statuses of who waited in vain, Cloudflare's own among them. */
const timeOuts = [408, 504, 522, 524];

/** Reason for which an item is unscored when a call has failed for good. */
export function reasonOf({ kind, status }: CallFailure): UnscoredReason {
  if (status === 429) return "rate-limited";
  return kind === "timeout" || timeOuts.includes(status ?? 0) ? "timeout" : "provider-error";
}

/**
 * What a provider says that no other attempt at a call changes: the account has no credit, the key is not
 * let in, there is no such model (any more), or the content is declined.
 */
export type FinalRefusal = "credit" | "key" | "model" | "content";

const key = "(api|access|auth)[\\s_-]?(key|token)";
const wrong = "(?:not[\\s_-]?valid|invalid|incorrect|expired|revoked|disabled|missing|not found)";
const signs: readonly (readonly [FinalRefusal, words: RegExp])[] = [
  [
    "content",
    /content.?(filter|policy|management)|moderat|safety|flagged|harmful|nsfw|guardrail|inappropriate content|data.?inspection|content exists risk|(as|is) sensitive|new_sensitive|sensitive.?(content|information|words)|usage.(guideline|polic)|敏感|审核|responsible.?ai|prohibited.?content|recitation/i,
  ],
  [
    "credit",
    /insufficient[\s_-]?(quota|balance|credits?|funds)|billing[\s_-]?(hard[\s_-]?limit|not[\s_-]?active)|credit balance|(not|without) enough (credits?|balance|funds)|out of credits?|payment required|exhausted balance|(purchase|more|add) (more )?credits|account .*(overdue|arrear|past due)|arrearage|budget (has been )?exceeded|exceeded.?budget|over budget|free.?tier.{0,40}(exhausted|only)|\blimit: 0\b|欠费|余额不足/i,
  ],
  [
    "key",
    new RegExp(
      `${key}.*(?:\\b|_)${wrong}|${wrong}[\\s_-]?${key}|(?:authentication|login)[\\s_-]?(?:error|fail)`,
      "i",
    ),
  ],
  [
    "model",
    /model[\s_-]?(not[\s_-]?found|decommissioned|deprecated|retired)|\bmodel\W+(\S+\s+){0,2}?((is|was|has been) )?(not found|does ?n[o']t exist|not exist|decommissioned|discontinued|removed|retired|no longer (available|supported))|no such model|unknown model|invalid model name|not a valid model/i,
  ],
];

/**
 * @param code the provider's name of the error
 * @returns `undefined` where it may be otherwise another time
 * @example finalRefusal({ code: "insufficient_quota", message: "You exceeded …" }) // "credit"
 */
export function finalRefusal({
  code = "",
  message,
}: {
  readonly code?: string | undefined;
  readonly message: string;
}): FinalRefusal | undefined {
  return signs.find(([, words]) => words.test(code) || words.test(message))?.[0];
}
