import type { Metric } from "../core/metric.js";
import type { CallOptions, Picture } from "../core/models.js";
import { openPicture } from "../images/picture.js";
import { openPictureFile } from "../images/picture-file.js";
import { type ScoreResult, scorePicture, unscoredBecause } from "./score-picture.js";

/**
 * Scores one image against one text.
 *
 * @param options.image the path of an image file, an encoded image, or an opened picture
 * @returns a score, or why there is none: an image that can't be read is "bad-input", and so on
 *   through the closed list. Only faults (of a metric's code, of an installation) are thrown.
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
} & CallOptions): Promise<ScoreResult> {
  try {
    return await scorePicture(metric, await pictureOf(image), text, options);
  } catch (thrown) {
    return unscoredBecause(metric, thrown);
  }
}

async function pictureOf(image: string | Uint8Array | Picture): Promise<Picture> {
  if (typeof image === "string") return openPictureFile(image);
  return image instanceof Uint8Array ? openPicture(image) : image;
}
