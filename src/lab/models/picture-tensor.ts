import type { Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { shrink } from "../../images/shrink.js";
import { isLabPicture } from "../signature.js";
import type { Tensor } from "./onnx-session.js";
import type { ImageSettings } from "./weights.js";

/**
 * A picture of the lab's as a model's input: shrunk by area averages, normalised, one plane for
 * each channel ([1, 3, height, width]).
 *
 * @throws NoAnswer "not-applicable" for an image that the lab did not paint: its models have seen
 *   nothing but clip art, and what they would say of a photograph means nothing.
 */
export async function pictureTensor(
  picture: Picture,
  { width, height, mean, deviation }: ImageSettings,
): Promise<Tensor> {
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
  const { data } = shrink(pixels, width, height);
  const plane = width * height;
  const values = new Float32Array(3 * plane);
  for (let index = 0; index < values.length; index++) {
    const channel = Math.floor(index / plane) as 0 | 1 | 2;
    const level = (data[(index - channel * plane) * 3 + channel] ?? 0) / 255;
    values[index] = (level - mean[channel]) / deviation[channel];
  }
  return { type: "float32", data: values, dims: [1, 3, height, width] };
}
