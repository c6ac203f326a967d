import {
  type ChatModel,
  type ChatRequest,
  type GenerationRequest,
  type ImageEmbedder,
  type ImageGenerator,
  type Model,
  type Picture,
  placedName,
  type TextEmbedder,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";

/** Calls that would be made. */
export interface CountedCalls {
  readonly calls: number;
  /** US dollars, about, of those with a known price. */
  readonly cost: number;
  /** The models asked whose price is not known. */
  readonly unpriced: ReadonlySet<string>;
  /** Where the known prices are from, such as "2026-04". */
  readonly prices: ReadonlySet<string>;
  /** Whether that is what they cost, not a guess. */
  readonly isExact: boolean;
  /** Keys of requests that were counted for the first time. */
  readonly first: readonly string[];
  /** Keys of those that were counted before, and are no call. */
  readonly again: readonly string[];
}

/** The same while it is counted. */
interface Counting extends CountedCalls {
  calls: number;
  cost: number;
  isExact: boolean;
  readonly unpriced: Set<string>;
  readonly prices: Set<string>;
  readonly first: string[];
  readonly again: string[];
}

/** Text or image to embed. */
export type EmbeddingRequest = { readonly text: string } | { readonly image: Picture };

/** Expected cost of a model's call, in US dollars, and where its price is from. */
export interface Pricing<Request> {
  readonly from: string;
  /** Whether `expected` is the price, not a guess. */
  readonly isExact: boolean;
  expected(request: Request): number;
}

/**
 * Counts the calls that work would make, by doing the work with models that give no answer in place
 * of making a call. Models behind it may stand behind a cache: what that answers is no call.
 */
export class CallMeter {
  readonly #names = new Set<string>();
  readonly #seen = new Set<string>();
  #counted: Counting | undefined;
  #isRecalling = false;

  /** Remembers a model, by the name that metrics and steps give it, as one whose calls it counts. */
  watch({ identity }: Model): void {
    this.#names.add(placedName(identity));
  }

  /** Whether calls of any model are counted. */
  get watchesAny(): boolean {
    return this.#names.size > 0;
  }

  /** Whether calls of a model are counted, by name and address. */
  watches(name: string): boolean {
    return this.#names.has(name);
  }

  /**
   * @param pricing `undefined` where the price is not known
   * @param options.keyOf what a cache before it tells requests apart by: then one is counted once
   * @param options.onRecalled hears of requests that were answered before; see `recall`
   */
  ofChat(
    model: ChatModel,
    pricing: Pricing<ChatRequest> | undefined,
    {
      keyOf,
      onRecalled,
    }: {
      keyOf?: (request: ChatRequest, trial: number | undefined) => string;
      onRecalled?: (request: ChatRequest) => void;
    } = {},
  ): ChatModel {
    return {
      ...model,
      chat: async (request, options) => {
        this.#refuseRecalling(request, onRecalled);
        if (keyOf !== undefined) this.#refuseSeen(() => keyOf(request, options?.trial));
        this.#refuseCounting(model, request, pricing);
        return model.chat(request, options);
      },
    };
  }

  /** The same of embeddings. */
  ofEmbedder(
    model: ImageEmbedder & TextEmbedder,
    pricing: Pricing<EmbeddingRequest> | undefined,
    {
      keyOf,
      onRecalled,
    }: {
      keyOf?: (request: EmbeddingRequest) => string;
      onRecalled?: (request: EmbeddingRequest) => void;
    } = {},
  ): ImageEmbedder & TextEmbedder {
    const counted = (request: EmbeddingRequest) => {
      this.#refuseRecalling(request, onRecalled);
      if (keyOf !== undefined) this.#refuseSeen(() => keyOf(request));
      this.#refuseCounting(model, request, pricing);
    };
    return {
      ...model,
      embedText: async (text, options) => {
        counted({ text });
        return model.embedText(text, options);
      },
      embedImage: async (image, options) => {
        counted({ image });
        return model.embedImage(image, options);
      },
    };
  }

  /** @param pricing `undefined` where the price is not known */
  ofGenerator(
    model: ImageGenerator,
    pricing: Pricing<GenerationRequest> | undefined,
  ): ImageGenerator {
    return {
      ...model,
      generate: async (request, options) => {
        this.#refuseRecalling(request, (one) => model.answered?.(one));
        this.#refuseCounting(model, request, pricing);
        return model.generate(request, options);
      },
    };
  }

  /** Does work without one call; what it fails with counts for nothing. Nothing else may go on. */
  async count(work: () => Promise<unknown>): Promise<CountedCalls> {
    const counted: Counting = {
      calls: 0,
      cost: 0,
      isExact: true,
      unpriced: new Set<string>(),
      prices: new Set<string>(),
      first: [],
      again: [],
    };
    this.#counted = counted;
    try {
      await work().catch(() => {});
    } finally {
      this.#counted = undefined;
    }
    return counted;
  }

  /**
   * Does work that was done before, without one call: models hear which requests were answered then, so
   * that they can tell a server that is down from one that can't take what is left.
   */
  async recall(work: () => Promise<unknown>): Promise<void> {
    this.#isRecalling = true;
    try {
      await work().catch(() => {});
    } finally {
      this.#isRecalling = false;
    }
  }

  #refuseRecalling<Request>(
    request: Request,
    onRecalled: ((request: Request) => void) | undefined,
  ) {
    if (!this.#isRecalling) return;
    onRecalled?.(request);
    throw onlyCounted();
  }

  #refuseSeen(keyOf: () => string): void {
    if (this.#counted === undefined) return;
    const key = keyOf();
    const isSeen = this.#seen.has(key);
    this.#counted[isSeen ? "again" : "first"].push(key);
    if (isSeen) throw onlyCounted();
    this.#seen.add(key);
  }

  #refuseCounting<Request>(
    { identity }: Model,
    request: Request,
    pricing: Pricing<Request> | undefined,
  ): void {
    const counted = this.#counted;
    if (counted === undefined) return;
    counted.calls++;
    if (pricing === undefined) {
      counted.unpriced.add(placedName(identity));
    } else {
      counted.cost += pricing.expected(request);
      counted.isExact &&= pricing.isExact;
      counted.prices.add(pricing.from);
    }
    throw onlyCounted();
  }
}

const onlyCounted = () => new NoAnswer("budget", "Not asked: calls were only counted");
