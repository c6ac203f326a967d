import {
  type ChatModel,
  type ChatRequest,
  type GenerationRequest,
  type ImageEmbedder,
  type ImageGenerator,
  imagesOf,
  type Model,
  type Picture,
  placedName,
  type TextEmbedder,
} from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import type { Look, Sights } from "../sight/sights.js";

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
  readonly #embedders = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #looks = new Map<string, Look>();
  readonly #shown: Model[] = [];
  #counted: Counting | undefined;
  #isRecalling = false;
  /** Checks the sight of models before they are shown images, where that is wanted. */
  readonly sights: Sights | undefined;

  constructor({ sights }: { readonly sights?: Sights } = {}) {
    this.sights = sights;
  }

  /** Remembers a model, by the name that metrics and steps give it, as one whose calls it counts. */
  watch({ identity }: Model): void {
    this.#names.add(placedName(identity));
  }

  /** Remembers a model whose calls are not counted as one that is shown images. */
  show(model: Model): void {
    this.#shown.push(model);
  }

  /** The models that are about to be shown images: as was counted, and those of `names` that are not counted. */
  looks(names: readonly string[] = []): Look[] {
    const others = this.#shown.filter(({ identity }) => names.includes(placedName(identity)));
    return [...this.#looks.values(), ...others.map((model) => ({ model, images: 1 as const }))];
  }

  /** Whether a model gives embeddings, which are the same with whatever they are compared. */
  embeds(name: string): boolean {
    return this.#embedders.has(name);
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
    const metered: ChatModel = {
      ...model,
      chat: async (request, options) => {
        this.#refuseRecalling(request, onRecalled);
        if (keyOf !== undefined) this.#refuseSeen(() => keyOf(request, options?.trial));
        this.#noteLook(metered, imagesOf(request));
        this.#refuseCounting(model, request, pricing);
        return model.chat(request, options);
      },
    };
    return metered;
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
    this.#embedders.add(placedName(model.identity));
    let comparesTexts = false;
    let image: Picture | undefined;
    const counted = (request: EmbeddingRequest) => {
      this.#refuseRecalling(request, onRecalled);
      if (keyOf !== undefined) this.#refuseSeen(() => keyOf(request));
      if ("image" in request) image = request.image;
      else comparesTexts = true;
      // A model that is given images alone may embed no text, which its check needs.
      if (comparesTexts && image !== undefined) this.#noteLook(metered, [image]);
      this.#refuseCounting(model, request, pricing);
    };
    const metered: ImageEmbedder & TextEmbedder = {
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
    return metered;
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

  /** Of an asking that is only counted. */
  #noteLook(model: Model, images: readonly Picture[]): void {
    if (this.#counted === undefined || this.sights === undefined || images.length === 0) return;
    const name = placedName(model.identity);
    const { shape, images: before = 1 } = this.#looks.get(name) ?? {};
    const size = (of: Pick<Picture, "width" | "height">) => of.width * of.height;
    const largest = [...(shape === undefined ? [] : [shape]), ...images].reduce((one, other) =>
      size(other) > size(one) ? other : one,
    );
    const { width, height, mediaType } = largest;
    this.#looks.set(name, {
      model,
      shape: { width, height, mediaType },
      images: images.length === 2 ? 2 : before,
    });
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
