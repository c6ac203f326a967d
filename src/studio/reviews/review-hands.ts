import type { ReviewHand } from "./review-api.js";
import type { ReviewRow, ReviewTable } from "./review-table.js";

/** For so many milliseconds an item that was handed to a window is not handed to another. */
const held = 90_000;

interface Holder {
  readonly window: string;
  readonly until: number;
}

/**
 * Hands open items to windows so that two people who answer one queue don't meet at the same items. It
 * is kept in memory alone: what is forgotten costs somebody a second look, never an answer.
 */
export class ReviewHands {
  readonly #holders = new Map<string, Holder>();
  readonly #clock: () => number;

  /** @param clock milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /**
   * The next open items of a window.
   *
   * @param options.from the place from which on it goes; after the last item it goes on with the first
   */
  hand(
    table: ReviewTable,
    {
      window,
      from,
      limit,
    }: { readonly window: string; readonly from: number; readonly limit: number },
  ): ReviewHand {
    const now = this.#clock();
    const open = table.rows.filter(({ answer }) => answer === null);
    const ordered = [
      ...open.filter(({ place }) => place >= from),
      ...open.filter(({ place }) => place < from),
    ];
    const isFree = ({ key }: ReviewRow) => {
      const holder = this.#holders.get(key);
      return holder === undefined || holder.window === window || holder.until < now;
    };
    const free = ordered.filter(isFree).slice(0, limit);
    const isShared = free.length === 0 && ordered.length > 0;
    // Who is left with nothing helps with what others have, the last of it first.
    const items = isShared ? ordered.slice(-limit).reverse() : free;
    // Who asks is there: what the window was handed before stays its own.
    const until = now + held;
    for (const [key, holder] of this.#holders) {
      if (table.row(key)?.answer !== null || holder.until < now) this.#holders.delete(key);
      else if (holder.window === window) this.#holders.set(key, { window, until });
    }
    for (const { key } of free) this.#holders.set(key, { window, until });
    return { items: items.map(shownItem), counts: table.counts, isShared };
  }
}

/** Without the names of files, which are nobody's business. */
export const shownItem = ({ files, ...item }: ReviewRow) => item;
