import type { Picture } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { openPicture } from "./picture.js";

/**
 * Opens what a generator made.
 *
 * @throws NoAnswer "provider-error" for what is no image: that is the generator's fault.
 */
export async function openGenerated(bytes: Uint8Array): Promise<Picture> {
  try {
    return await openPicture(bytes, "the generated image");
  } catch (cause) {
    if (!(cause instanceof NoAnswer)) throw cause;
    throw new NoAnswer("provider-error", cause.message, { cause });
  }
}
