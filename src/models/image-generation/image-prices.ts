import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const dollars = z.number().min(0);
const price = z.union([
  z.strictObject({ image: dollars }),
  z.strictObject({ megapixel: dollars }),
  z.strictObject({ tokens: z.strictObject({ input: dollars, output: dollars }) }),
  z.strictObject({ images: z.record(z.string(), dollars) }),
]);

/** How a provider bills images, in US dollars. */
export type ImagePrice = z.output<typeof price>;

const schema = z.array(
  z.strictObject({
    baseUrl: z.url(),
    asOf: z.string().regex(/^\d{4}-\d{2}$/),
    source: z.url(),
    models: z.record(z.string(), price),
  }),
);

let loaded: z.output<typeof schema> | undefined;

/** The price of a model's images in data/image-prices.yaml; `undefined` where it is not known. */
export function knownImagePrice(baseUrl: string, model: string): ImagePrice | undefined {
  loaded ??= schema.parse(
    parse(readFileSync(new URL("../../../data/image-prices.yaml", import.meta.url), "utf8")),
  );
  const models = loaded.find((list) => list.baseUrl === baseUrl)?.models ?? {};
  return Object.hasOwn(models, model) ? models[model] : undefined;
}

/** US dollars of one image; `undefined` where the price, or what it depends on, is not known. */
export function imageCost(
  known: ImagePrice | undefined,
  made: {
    readonly width: number;
    readonly height: number;
    /** Quality and size as they were asked for. */
    readonly quality?: string | undefined;
    readonly size?: string | undefined;
    readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  },
): number | undefined {
  if (known === undefined) return undefined;
  if ("image" in known) return known.image;
  if ("megapixel" in known) return known.megapixel * Math.ceil((made.width * made.height) / 1e6);
  if ("tokens" in known) {
    if (made.usage === undefined) return undefined;
    const { input, output } = known.tokens;
    return (made.usage.inputTokens * input + made.usage.outputTokens * output) / 1e6;
  }
  const { quality = "standard", size = `${made.width}x${made.height}` } = made;
  return known.images[`${quality} ${size}`];
}
