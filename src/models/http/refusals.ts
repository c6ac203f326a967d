import { IncompleteError, InputError, type TouchstoneError } from "../../core/errors.js";
import { alikeWords, NoAnswer, unscoredReasons } from "../../core/unscored.js";
import { CallFailure, isOutage } from "./call-failure.js";
import type { JsonClient } from "./json-client.js";

/** So many different items that are refused alike, with no answer between, say that all would be. */
const refusedAlike = 5;

/** A refusal that waits for what becomes of others. */
interface Held {
  readonly settle: (error: TouchstoneError | NoAnswer) => void;
  readonly own: NoAnswer;
  readonly failure: CallFailure;
}

/**
 * Tells what refuses an item from what refuses everything: a wrong key, no credit, a model that is gone,
 * whatever status and words they come with. One for each model that is called.
 *
 * A refusal of one item is held back while other calls of the model are under way. One that is answered
 * says that refusals are the items' own. Where five different items were refused alike and none was
 * answered between, an item that was answered before is asked again, and if it is refused, too, the work
 * ends: calls that wait are given up, those under way are kept.
 */
export class Refusals {
  readonly #client: JsonClient;
  readonly #model: string;
  readonly #keyName: string;
  readonly #held = new Set<Held>();
  #alike: { readonly words: string; readonly items: Set<string> } | undefined;
  #underWay = 0;
  #isDeciding = false;
  #hasAnswered = false;

  /** @param keyName the environment variable that holds the key; empty where none is foreseen */
  constructor(
    client: JsonClient,
    { model, keyName }: { readonly model: string; readonly keyName: string },
  ) {
    this.#client = client;
    this.#model = model;
    this.#keyName = keyName;
  }

  /**
   * Asks about an item.
   *
   * @param item tells it from others
   * @throws InputError or IncompleteError where no item would fare better; NoAnswer where this one is
   *   refused; whatever else `ask` fails with.
   */
  async during<Answer>(item: string, ask: () => Promise<Answer>): Promise<Answer> {
    this.#underWay++;
    try {
      const answer = await ask();
      this.#hasAnswered = true;
      this.#acquit();
      return answer;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      throw await this.#refused(item, error);
    } finally {
      this.#underWay--;
      this.#settleFew();
    }
  }

  async #refused(item: string, failure: CallFailure): Promise<TouchstoneError | NoAnswer> {
    const mayBeAll = !this.#hasAnswered && failure.final !== "content";
    const ofAll = mayBeAll ? this.#ofAll(failure) : undefined;
    if (ofAll !== undefined) {
      this.#client.end(ofAll);
      return ofAll;
    }
    const own = this.#ofItem(failure);
    if (own.reason !== "bad-input" && own.reason !== "provider-error") return own;
    const words = alike(failure);
    if (this.#alike?.words !== words) this.#alike = { words, items: new Set() };
    this.#alike.items.add(item);
    const outcome = new Promise<TouchstoneError | NoAnswer>((settle) => {
      this.#held.add({ settle, own, failure });
    });
    if (this.#isEnough && !this.#isDeciding) {
      this.#isDeciding = true;
      await this.#client
        .whileQuiet(() => this.#decide())
        .finally(() => {
          this.#isDeciding = false;
        });
    }
    this.#settleFew();
    return outcome;
  }

  /** Refusals that stand beside an answer are the items' own. */
  #acquit(): void {
    this.#alike = undefined;
    this.#settle(({ own }) => own);
  }

  #settle(outcome: (held: Held) => TouchstoneError | NoAnswer): void {
    const all = [...this.#held];
    this.#held.clear();
    for (const held of all) held.settle(outcome(held));
  }

  get #isEnough(): boolean {
    return (this.#alike?.items.size ?? 0) >= refusedAlike;
  }

  /** Settles refusals that nothing else under way can say more of. */
  #settleFew(): void {
    if (this.#underWay > this.#held.size || this.#isDeciding) return;
    // Where nothing says whose fault it is, it is asked again another time: that costs nothing.
    const isOwn = this.#hasAnswered && this.#held.size === 1;
    this.#settle(({ own }) => (isOwn ? own : retryable(own)));
  }

  /** Finds out whether items that were refused alike are refused for what they are. */
  async #decide(): Promise<void> {
    const { failure, own } = [...this.#held].at(-1) ?? {};
    if (failure === undefined || own === undefined || !this.#isEnough) return;
    if (this.#client.isKnown) {
      const again = await this.#client.answersAgain().catch(() => undefined);
      if (again === undefined || isOutage(again) || alike(again) !== alike(failure)) {
        return this.#acquit();
      }
    }
    const error = this.#ofAll(failure) ?? ofEach(own);
    this.#alike = undefined;
    this.#client.end(error);
    this.#settle(() => error);
  }

  /** What is wrong with the user's settings or account; `undefined` where nothing says so. */
  #ofAll({ status, message, final }: CallFailure): InputError | IncompleteError | undefined {
    const { baseUrl, hasKey } = this.#client;
    const isOther = status === 404 || status === 405;
    if (status === 401 || status === 403 || (final === "key" && !isOther)) {
      return new InputError(`${baseUrl} refuses access: ${message}`, {
        hint: hasKey
          ? `Is the key in ${this.#keyName} right, and may it use ${this.#model}?`
          : this.#keyName === ""
            ? "Name the environment variable that holds its key: keyVariable in touchstone.config.yaml"
            : `Set the key in the environment or in .env: ${this.#keyName}=…`,
      });
    }
    if (isOther || final === "model") {
      return new InputError(`${baseUrl} does not know the model ${this.#model}: ${message}`, {
        hint: "Is the name right, and does the base URL end as the server's documents say (often /v1)?",
      });
    }
    return undefined;
  }

  #ofItem(failure: CallFailure): NoAnswer {
    const { kind, status = 0, message, providerCode = "", final } = failure;
    const { baseUrl } = this.#client;
    if (kind === "redirect") {
      return new NoAnswer(
        "provider-error",
        `${baseUrl} answers with ${message}. Where that is its right address, make it the base URL ` +
          "(baseUrl in the settings)",
      );
    }
    if (final === "content") {
      return new NoAnswer("refused", `${baseUrl} refused the content: ${message}`);
    }
    if ([401, 403, 404, 405].includes(status) || final !== undefined) {
      return new NoAnswer("provider-error", `${baseUrl} turned away this one request: ${message}`);
    }
    // The lab's server names the reason that its model had.
    const own = unscoredReasons.find((reason) => reason.replaceAll("-", "_") === providerCode);
    return new NoAnswer(own ?? "bad-input", `${baseUrl} refused the request: ${message}`);
  }
}

const ofEach = ({ message, cause }: NoAnswer): IncompleteError =>
  new IncompleteError(`${message} (so were ${refusedAlike} different items in a row)`, {
    hint:
      "Mend what it says (the key, the account's credit, the model or a setting), then run the same " +
      "command: answers are saved and cost nothing again.",
    cause,
  });

const retryable = ({ reason, message, cause }: NoAnswer): NoAnswer =>
  new NoAnswer(reason, message, { retryable: true, cause });

/** The words of a refusal without what differs from item to item: numbers and what stands in quotes. */
const alike = ({ status, message }: CallFailure): string => `${status} ${alikeWords(message)}`;
