import type { ShownImage } from "./images.js";
import { Refusal } from "./refusal.js";

/** An image as an answer. @param isForever whether its address names its bytes, so that they never change */
export const imageResponse = (
  { bytes, mediaType }: ShownImage,
  { isForever }: { readonly isForever: boolean },
): Response =>
  new Response(Uint8Array.from(bytes), {
    headers: {
      "content-type": mediaType,
      "content-disposition": "inline",
      "cache-control": isForever ? "private, max-age=31536000, immutable" : "private, max-age=60",
    },
  });

/** How wide an image is wanted; undefined for as it is. @throws Refusal for what is no width. */
export function widthOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const width = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (width >= 1) return width;
  throw new Refusal(400, "width", "Expected a whole number of pixels for width");
}
