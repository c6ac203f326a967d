import { z } from "zod";
import { once } from "../../core/cache.js";
import type { ChatReply, ChatRequest } from "../../core/models.js";
import { packagedYaml } from "../../files/yaml.js";
import type { EmbeddingRequest } from "./call-meter.js";

/**
 * How a model counts an image: `base` tokens and `tile` for each tile of 512 pixels, of the image
 * scaled to at most 2048 pixels and its shorter side to at most 768; or `patch` tokens for each of at
 * most 1536 patches of 32 pixels (OpenAI's guide to images, 2026-04).
 */
const imageTokenRule = z.union([
  z.strictObject({ base: z.number().min(0), tile: z.number().min(0) }),
  z.strictObject({ patch: z.number().positive() }),
]);
type ImageTokenRule = z.output<typeof imageTokenRule>;

/** As GPT-4o counts; assumed where nothing is known of a model. */
const usualRule: ImageTokenRule = { base: 85, tile: 170 };

/**
 * Estimates how many tokens an image takes.
 * @param longestSide no side is sent longer than this, in pixels
 * @example imageTokens({ width: 1024, height: 1024 }) // 765
 */
export function imageTokens(
  { width, height }: { readonly width: number; readonly height: number },
  { rule = usualRule, longestSide = 2048 }: { rule?: ImageTokenRule; longestSide?: number } = {},
): number {
  const sent = Math.min(1, Math.min(longestSide, 2048) / Math.max(width, height));
  const [w, h] = [width * sent, height * sent];
  if ("patch" in rule) {
    return Math.ceil(rule.patch * Math.min(1536, Math.ceil(w / 32) * Math.ceil(h / 32)));
  }
  const shrunk = Math.min(1, 768 / Math.min(w, h));
  return rule.base + rule.tile * Math.ceil((w * shrunk) / 512) * Math.ceil((h * shrunk) / 512);
}

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

/** A price and where it is from. */
export interface Listed<Price> {
  readonly price: Price;
  /** The month, such as "2026-04". */
  readonly asOf: string;
}

/**
 * A list of prices in `data/`: by provider (its base URL, the month and the page they are from) and
 * model. It is read when a price is first asked for.
 *
 * @param price what a price looks like in this list.
 * @returns what tells a model's price; `undefined` where it is not known.
 * @throws z.ZodError where the list does not follow its schema.
 */
export function priceList<Price>(
  file: string,
  price: z.ZodType<Price>,
): (baseUrl: string, model: string) => Listed<Price> | undefined {
  const schema = z.array(
    z.strictObject({
      baseUrl: z.url(),
      asOf: z.string().regex(/^\d{4}-\d{2}$/),
      source: z.url(),
      models: z.record(z.string(), price),
    }),
  );
  const lists = once(() => schema.parse(packagedYaml(file)));
  return (baseUrl, model) => {
    const list = lists().find((each) => each.baseUrl === baseUrl);
    const found = new Map(Object.entries(list?.models ?? {})).get(model);
    return list === undefined || found === undefined
      ? undefined
      : { price: found, asOf: list.asOf };
  };
}
