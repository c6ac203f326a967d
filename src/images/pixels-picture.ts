import { encode } from "fast-png";
import { type Hash, hashOf } from "../core/keys.js";
import type { Picture, Pixels } from "../core/models.js";

/** The pixels as a PNG file; equal pixels are equal bytes on every machine. */
export const encodePng = ({ width, height, data }: Pixels): Uint8Array =>
  encode({ width, height, data, channels: 3, depth: 8 });

/**
 * Pixels as a picture that a model can be shown. They are encoded, as PNG, when its bytes or its
 * hash are first asked for.
 *
 * @param origin the picture that the pixels were made from
 */
export function pictureOfPixels(pixels: Pixels, origin?: Picture): Picture {
  let encoded: Uint8Array | undefined;
  let hash: Hash | undefined;
  return {
    mediaType: "image/png",
    width: pixels.width,
    height: pixels.height,
    ...(origin === undefined ? {} : { origin }),
    get bytes() {
      encoded ??= encodePng(pixels);
      return encoded;
    },
    get hash() {
      hash ??= hashOf(this.bytes);
      return hash;
    },
    pixels: async () => pixels,
  };
}
