import { z } from "zod";
import type { ChatReply, ChatRequest } from "../../core/models.js";
import type { EmbeddingRequest } from "./call-meter.js";
import { type ImageTokenRule, imageTokenRule, imageTokens } from "./image-tokens.js";
import { priceList } from "./price-list.js";

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** How the model counts an image, for estimates. */
  readonly image?: ImageTokenRule | undefined;
}

const price = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  image: imageTokenRule.optional(),
});

/** The price of a model in data/prices.yaml; `undefined` where it is not known. */
export const listedPrice = priceList<Price>("prices.yaml", price);

/** US dollars of a call; `undefined` where price or usage is not known. */
export function costOf(usage: ChatReply["usage"], price: Price | undefined): number | undefined {
  if (usage === undefined || price === undefined) return undefined;
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6;
}

/** Tokens that a model is expected to say at most where nothing limits it: a word or some JSON. */
const usualOutput = 100;

/**
 * About what a call will cost in US dollars: four characters a token, images as the model counts
 * them, and an answer of at most 100 tokens.
 */
export function expectedCost(
  { messages, maxTokens = usualOutput }: ChatRequest,
  price: Price,
  { longestSide }: { readonly longestSide?: number | undefined } = {},
): number {
  const rule = price.image === undefined ? {} : { rule: price.image };
  const side = longestSide === undefined ? {} : { longestSide };
  const tokens = messages
    .flatMap(({ parts }) => parts)
    .map((part) =>
      part.type === "text" ? part.text.length / 4 : imageTokens(part.image, { ...rule, ...side }),
    );
  const inputTokens = tokens.reduce((sum, one) => sum + one, 0);
  return (inputTokens * price.input + Math.min(maxTokens, usualOutput) * price.output) / 1e6;
}

/** About what embedding a text or an image will cost in US dollars: by the same guesses. */
export function expectedEmbeddingCost(
  request: EmbeddingRequest,
  pricePerMillionTokens: number,
  { longestSide }: { readonly longestSide: number },
): number {
  const tokens =
    "text" in request ? request.text.length / 4 : imageTokens(request.image, { longestSide });
  return (tokens * pricePerMillionTokens) / 1e6;
}
