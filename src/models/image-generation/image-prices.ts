import { z } from "zod";
import { priceList } from "../prices/price-list.js";
import { costOf } from "../prices/token-prices.js";

const dollars = z.number().min(0);
const price = z.union([
  z.strictObject({ image: dollars }),
  z.strictObject({ megapixel: dollars }),
  z.strictObject({ tokens: z.strictObject({ input: dollars, output: dollars }) }),
  z.strictObject({ images: z.record(z.string(), dollars) }),
]);

/** How a provider bills images, in US dollars. */
export type ImagePrice = z.output<typeof price>;

/** The price of a model's images in data/image-prices.yaml; `undefined` where it is not known. */
export const knownImagePrice = priceList("image-prices.yaml", price);

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
  if ("tokens" in known) return costOf(made.usage, known.tokens);
  const { quality = "standard", size = `${made.width}x${made.height}` } = made;
  return known.images[`${quality} ${size}`];
}
