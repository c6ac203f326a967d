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

/** Items that are unscored for one reason and in the same words. */
export interface UnscoredGroup {
  readonly reason: UnscoredReason;
  /** Detail of the first of them. */
  readonly detail: string;
  readonly count: number;
}

/** Finds which detail is the commonest of what is unscored; numbers and quoted words may differ. */
export class UnscoredDetails {
  readonly #groups = new Map<string, UnscoredGroup>();

  /** Returns the group that the item belongs to, with it. */
  add(reason: UnscoredReason, detail: string): UnscoredGroup {
    const words = `${reason} ${alikeWords(detail)}`;
    const { count = 0, ...first } = this.#groups.get(words) ?? { reason, detail };
    const group = { ...first, count: count + 1 };
    this.#groups.set(words, group);
    return group;
  }

  /** @param reason looks only at what is unscored for it; at everything where not given */
  commonest(reason?: UnscoredReason): UnscoredGroup | undefined {
    let found: UnscoredGroup | undefined;
    for (const group of this.#groups.values()) {
      if (reason !== undefined && group.reason !== reason) continue;
      if (found === undefined || group.count > found.count) found = group;
    }
    return found;
  }
}

/** Words of a message without what differs from item to item: numbers and what stands in quotes. */
export const alikeWords = (message: string): string =>
  message.replaceAll(/(["'`]).*?\1|[\w-]*\d[\w-]*/gs, "");
