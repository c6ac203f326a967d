import type {
  ReviewAnswer,
  ReviewAnswered,
  ReviewItem,
} from "../../../../src/studio/reviews/review-api.js";
import { ApiError, send } from "../../shell/api.js";

/** An answer on its way, and what stood there before. */
export interface Given {
  readonly item: ReviewItem;
  readonly answer: ReviewAnswer;
  readonly was: ReviewAnswer;
  readonly by?: string | undefined;
  readonly comment?: string | undefined;
  readonly isSecond?: boolean | undefined;
}

export interface OutboxNews {
  readonly pending: number;
  /** Whether the server did not answer the last time. */
  readonly isAway: boolean;
}

interface Listeners {
  readonly onNews: (news: OutboxNews) => void;
  readonly onKept: (kept: ReviewAnswered) => void;
  readonly onRefused: (given: Given, error: ApiError) => void;
}

/** Milliseconds until what could not be sent is sent again. */
const again = 700;

/**
 * Sends answers one after the other, each until the server has it on its disk: a server that ended and
 * was started again gets what it had not acknowledged, and an answer that it has already changes nothing.
 */
export class Outbox {
  readonly #address: string;
  readonly #listeners: Listeners;
  #waiting: Given[] = [];
  #isSending = false;

  constructor(address: string, listeners: Listeners) {
    this.#address = address;
    this.#listeners = listeners;
  }

  add(given: Given): void {
    this.#waiting.push(given);
    this.#tell(false);
    if (!this.#isSending) void this.#drain();
  }

  /** The items that the server may not know the answer of yet. */
  get items(): ReadonlySet<string> {
    return new Set(this.#waiting.map(({ item }) => item.key));
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    for (let [given] = this.#waiting; given !== undefined; [given] = this.#waiting) {
      const { item, ...said } = given;
      try {
        const kept = await send<ReviewAnswered>(this.#address, { item: item.key, ...said });
        this.#waiting.shift();
        this.#listeners.onKept(kept);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) {
          this.#tell(true);
          await new Promise((resolve) => setTimeout(resolve, again));
          continue;
        }
        this.#waiting.shift();
        this.#listeners.onRefused(given, error);
      }
      this.#tell(false);
    }
    this.#isSending = false;
  }

  #tell(isAway: boolean): void {
    this.#listeners.onNews({ pending: this.#waiting.length, isAway });
  }
}
