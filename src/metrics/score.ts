import { readFile } from "node:fs/promises";
import type { Metric } from "../core/metric.js";
import type { CallOptions, Picture } from "../core/models.js";
import { NoAnswer } from "../core/unscored.js";
import { openPicture } from "../images/picture.js";
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
  if (image instanceof Uint8Array) return openPicture(image);
  if (typeof image !== "string") return image;
  const bytes = await readFile(image).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === "ENOENT" ? "there is no such file" : cause.message;
    throw new NoAnswer("bad-input", `Can't read ${image}: ${why}`, { cause });
  });
  return openPicture(bytes, image);
}
