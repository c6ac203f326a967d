/** Why there is no answer. The list is closed: a table can show all of it. */
export const unscoredReasons = [
  "refused",
  "unparsable",
  "timeout",
  "rate-limited",
  "provider-error",
  "bad-input",
  "budget",
  "not-applicable",
] as const;

export type UnscoredReason = (typeof unscoredReasons)[number];

const retryableReasons: readonly UnscoredReason[] = [
  "timeout",
  "rate-limited",
  "provider-error",
  "budget",
];

/**
 * Whether something came that is no answer: it was cut, empty, not what was asked for, or without token
 * probabilities. A model that is mended may answer it; a refusal is an answer.
 */
export const isUnread = (reason: UnscoredReason): boolean =>
  reason === "unparsable" || reason === "not-applicable";

/**
 * Thrown by whoever was asked and has no answer: a model, a metric, a generator. It becomes an
 * unscored record, never a number. Retryable ones are asked again when the run is resumed.
 */
export class NoAnswer extends Error {
  readonly reason: UnscoredReason;
  readonly retryable: boolean;

  constructor(
    reason: UnscoredReason,
    detail: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "NoAnswer";
    this.reason = reason;
    this.retryable = options.retryable ?? retryableReasons.includes(reason);
  }
}
