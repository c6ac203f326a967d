import { z } from "zod";
import { costOf, priceList } from "../prices/token-prices.js";

const dollars = z.number().min(0);
const price = z.union([
  z.strictObject({ image: dollars }),
  z.strictObject({ megapixel: dollars }),
  z.strictObject({
    tokens: z.strictObject({
      input: dollars,
      output: dollars,
      perImage: z.int().positive().optional(),
    }),
  }),
  z.strictObject({ images: z.record(z.string(), dollars) }),
]);

/** How a provider bills images, in US dollars. */
export type ImagePrice = z.output<typeof price>;

/** The price of a model's images in data/image-prices.yaml; `undefined` where it is not known. */
export const listedImagePrice = priceList("image-prices.yaml", price);

/**
 * About what an image will cost in US dollars: of 1024 x 1024 pixels where no size was asked for, and
 * for the tokens that the list gives an image. `undefined` where that can't be known.
 */
export function expectedImageCost(
  known: ImagePrice,
  asked: { readonly quality?: string | undefined; readonly size?: string | undefined },
): number | undefined {
  const [width = 1024, height = 1024] = asked.size?.split("x").map(Number) ?? [];
  const outputTokens = "tokens" in known ? known.tokens.perImage : 0;
  const usage = outputTokens === undefined ? undefined : { inputTokens: 0, outputTokens };
  return imageCost(known, { ...asked, width, height, usage });
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
  if ("tokens" in known) return costOf(made.usage, known.tokens);
  const { quality = "standard", size = `${made.width}x${made.height}` } = made;
  return known.images[`${quality} ${size}`];
}
