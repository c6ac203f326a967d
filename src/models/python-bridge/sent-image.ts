import type { Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { checkBody } from "../../images/picture.js";
import { plainImage } from "../../images/plain-image.js";

/** Bytes of an encoded image; a request must stay below what the other side reads. */
const largestImage = 64 * 1024 * 1024;

type Sent = { readonly path: string } | { readonly base64: string };
const ready = new WeakMap<Picture, Promise<Sent>>();

/**
 * An image such that Pillow, whose conventions differ from browsers', decodes the pixels that other models see: the
 * path of its file where that is plain, else its pixels as PNG.
 */
export function sent(image: Picture): Promise<Sent> {
  const made = ready.get(image) ?? sentOf(image);
  ready.set(image, made);
  return made;
}

async function sentOf(image: Picture): Promise<Sent> {
  if (image.file === undefined) return { base64: await base64Of(image) };
  await checkBody(image, image.file);
  return { path: image.file };
}

async function base64Of(image: Picture): Promise<string> {
  const { bytes } = await plainImage(image);
  if (bytes.length > largestImage) {
    throw new NoAnswer("bad-input", `The image has more than ${largestImage} bytes`);
  }
  return Buffer.from(bytes).toString("base64");
}
