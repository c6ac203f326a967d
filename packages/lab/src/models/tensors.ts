import type { Picture, Pixels } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { shrink } from "touchstone-t2i/internal/images/shrink.js";
import { asRead } from "../as-read.js";
import { isLabPicture } from "../signature.js";
import type { FloatTensor, ShownPicture, Tensor } from "./graph-run.js";
import { instructionIds } from "./instruction-words.js";
import type { ImageSettings, TextSettings } from "./weights.js";

/**
 * The pixels of a picture of the lab's.
 *
 * @throws NoAnswer "not-applicable" for an image that the lab did not paint: its models have seen
 *   nothing but clip art, and what they would say of a photograph means nothing.
 */
export async function labPixels(picture: Picture): Promise<Pixels> {
  const pixels = await picture.pixels();
  // What was cut out of a picture of the lab's is one, too, though the signature is not on it.
  const painted = picture.origin === undefined ? pixels : await picture.origin.pixels();
  if (
    !isLabPicture(painted) ||
    pixels.width !== painted.width ||
    pixels.height !== painted.height
  ) {
    throw new NoAnswer(
      "not-applicable",
      "The lab's models judge only what the lab painted, and this image it did not paint",
    );
  }
  return pixels;
}

const shrunken = new WeakMap<Pixels, Pixels>();

/** Pixels as a model is shown them, shrunk by area averages: once for all models that read one size. */
export function shownAs(pixels: Pixels, settings: ImageSettings): ShownPicture {
  const { width, height } = settings;
  let small = shrunken.get(pixels);
  if (small?.width !== width || small.height !== height) {
    small = shrink(pixels, width, height);
    shrunken.set(pixels, small);
  }
  return { pixels: small, settings };
}

/**
 * A picture as a model's input: normalised, one plane for each channel ([1, 3, height, width]).
 *
 * @param room where its numbers are put, if it is as large as they are
 */
export function pictureTensor(
  { pixels: { data }, settings: { width, height, mean, deviation } }: ShownPicture,
  room?: Float32Array,
): FloatTensor {
  const plane = width * height;
  const values = room?.length === 3 * plane ? room : new Float32Array(3 * plane);
  const normalised = new Float32Array(256);
  for (const channel of [0, 1, 2] as const) {
    for (let level = 0; level < 256; level++) {
      normalised[level] = (level / 255 - mean[channel]) / deviation[channel];
    }
    const start = channel * plane;
    for (let at = 0; at < plane; at++) {
      values[start + at] = normalised[data[at * 3 + channel] ?? 0] ?? 0;
    }
  }
  return { type: "float32", data: values, dims: [1, 3, height, width] };
}

/**
 * A text as a model's input: the ids of its words ([1, words]). There is no padding, since every
 * text is read alone: padded to the longest, questions would take twice as long.
 *
 * @throws NoAnswer "not-applicable" for a word the model never saw or a text that is too long;
 *   nothing is cut off.
 */
export function textTensor(text: string, { tokenizer, mostTokens }: TextSettings): Tensor {
  const ids = tokenizer.encode(asRead(text));
  if (ids.length === 0) throw new NoAnswer("not-applicable", "There is no word in the text");
  if (ids.length > mostTokens) {
    throw new NoAnswer(
      "not-applicable",
      `The lab's models read ${mostTokens} words and marks; this text has ${ids.length}`,
    );
  }
  return { type: "int64", data: BigInt64Array.from(ids, BigInt), dims: [1, ids.length] };
}

/** The words of an instruction as a model's input, [1, different words]. */
export function instructionTensor(text: string): Tensor {
  const ids = instructionIds(text);
  return { type: "int64", data: BigInt64Array.from(ids, BigInt), dims: [1, ids.length] };
}
