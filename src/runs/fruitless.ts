import { IncompleteError, InputError } from "../core/errors.js";
import type { JsonObject } from "../core/json.js";
import { alikeWords, UnscoredDetails, type UnscoredReason } from "../core/unscored.js";

/** So many items that were asked about in vain for one reason, and none with an answer, say that all would be. */
const enough = 20;

/** An item without an answer. */
export interface Failed {
  readonly reason: UnscoredReason;
  readonly detail: string;
  /** Whether a model was called for it: what is kept or found out without one costs nothing. */
  readonly wasCalled: boolean;
}

/**
 * Ends work of which nothing comes: where 20 items that a model was called about are unscored for one
 * reason and not one has an answer. A model that refuses has answered; a limit that was met says
 * nothing of the model.
 */
export class Fruitless {
  readonly #what: string;
  readonly #hint: string;
  readonly #counts = new Map<UnscoredReason, number>();
  readonly #details = new UnscoredDetails();
  /** Words of what was unscored after a call: a model that has shown what it lacks isn't called again. */
  readonly #words = new Set<string>();
  #hasAnswer: boolean;

  /**
   * @param what names the work: a step, a metric
   * @param options.hint how to go on
   * @param options.hasAnswer whether an item has an answer already
   */
  constructor(
    what: string,
    { hint, hasAnswer = false }: { readonly hint: string; readonly hasAnswer?: boolean },
  ) {
    this.#what = what;
    this.#hint = hint;
    this.#hasAnswer = hasAnswer;
  }

  answered(): void {
    this.#hasAnswer = true;
  }

  /** @throws InputError where the items are the user's fault, IncompleteError else, from the 20th on. */
  failed({ reason, detail, wasCalled }: Failed): void {
    if (this.#hasAnswer || reason === "refused" || reason === "budget") return;
    const words = alikeWords(detail);
    if (wasCalled) this.#words.add(words);
    else if (!this.#words.has(words)) return;
    this.#details.add(reason, detail);
    const count = (this.#counts.get(reason) ?? 0) + 1;
    this.#counts.set(reason, count);
    if (count < enough) return;
    const said = this.#details.commonest(reason)?.detail ?? detail;
    const message = `${this.#what} has no answer for any of ${count} items, ${reason} each; mostly: ${said}`;
    const options = { hint: this.#hint };
    throw reason === "bad-input"
      ? new InputError(message, options)
      : new IncompleteError(message, options);
  }
}

/** Whether a trace entry says that a model was called, with or without an answer. */
export const isCall = ({ kind, cached }: JsonObject): boolean =>
  kind === "attempt-failed" ||
  ((kind === "model-call" || kind === "segment-call") && cached !== true);
