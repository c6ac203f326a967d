import { NoAnswer } from "../../core/unscored.js";
import { cosine } from "../../metrics/cosine.js";

/** The cosine between an image and a text; undefined where one of them has no direction. */
export function similarity(
  image: Float32Array | undefined,
  text: Float32Array | undefined,
): number | undefined {
  if (image === undefined || text === undefined) return undefined;
  try {
    return cosine(image, text);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}
