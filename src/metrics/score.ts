import { InputError } from "../core/errors.js";
import type { Metric } from "../core/metric.js";
import type { CallOptions, Picture } from "../core/models.js";
import { openPicture } from "../images/picture.js";
import { openPictureFile } from "../images/picture-file.js";
import { quoted } from "../tables/format.js";
import {
  type ScoreResult,
  type Structured,
  scorePicture,
  unscoredBecause,
} from "./score-picture.js";

/**
 * Scores one image against one text.
 *
 * @param options.structure the text's entities with their attributes, for metrics that ask about them
 * @param options.image the path of an image file, an encoded image, or an opened picture
 * @returns a score, or why there is none: an image that can't be read is "bad-input", and so on
 *   through the closed list. Only faults (of a metric's code, of an installation) are thrown.
 * @throws InputError where the image, the text or the metric is none.
 * @example
 * const result = await score({ image: "cat.png", text: "a cat on two mats", metric });
 * if (result.status === "scored") console.log(result.value, result.range);
 */
export async function score({
  image,
  text,
  metric,
  ...options
}: {
  readonly image: string | Uint8Array | Picture;
  readonly text: string;
  readonly metric: Metric;
} & Structured &
  CallOptions): Promise<ScoreResult> {
  checkInput({ image, text, metric });
  try {
    return await scorePicture(metric, await pictureOf(image), text, options);
  } catch (thrown) {
    return unscoredBecause(metric, thrown);
  }
}

function checkInput({ image, text, metric }: Readonly<Record<string, unknown>>): void {
  if (typeof image !== "string" && !(image instanceof Uint8Array) && !has(image, "pixels")) {
    throw new InputError(
      `Expected a path, bytes or a picture for image but received ${quoted(image)}`,
      { hint: 'Such as score({ image: "cat.png", text: "a cat", metric })' },
    );
  }
  if (typeof text !== "string") {
    throw new InputError(`Expected a string for text but received ${quoted(text)}`);
  }
  if (!has(metric, "score")) {
    throw new InputError(`Expected a metric for metric but received ${quoted(metric)}`, {
      hint: "Such as metric: vqaScore({ model })",
    });
  }
}

const has = (value: unknown, method: string) =>
  typeof value === "object" && value !== null && method in value;

async function pictureOf(image: string | Uint8Array | Picture): Promise<Picture> {
  if (typeof image === "string") return openPictureFile(image);
  return image instanceof Uint8Array ? openPicture(image) : image;
}
