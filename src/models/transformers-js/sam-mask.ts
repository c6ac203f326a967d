import type { Mask, Pixels } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { type Box, boxMask } from "./box-mask.js";
import { rawImage } from "./loading.js";
import type { Processor, Segment, TransformersLibrary } from "./transformers-library.js";

export interface LoadedSam {
  readonly library: Pick<TransformersLibrary, "RawImage">;
  readonly process: Processor;
  readonly segment: Segment;
}

/**
 * SAM's mask of the thing in each box: of its three guesses at the point in the box's middle the
 * one that it thinks best, cut at the box. ONNX exports of SAM take points and no boxes, so the box
 * itself is no prompt. Where nothing of the guess lies in the box, the box is the mask. The image is
 * looked at once for all boxes.
 */
export async function samMasks(
  { library, process, segment }: LoadedSam,
  { pixels, boxes }: { readonly pixels: Pixels; readonly boxes: readonly Box[] },
): Promise<Mask[]> {
  const { width, height } = pixels;
  const size = width * height;
  const image = rawImage(library, pixels);
  const seen = await segment.get_image_embeddings(await process(image));
  const masks: Mask[] = [];
  for (const box of boxes) {
    const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const inputs = await process(image, { input_points: [[[middle]]], input_labels: [[[1]]] });
    const { pred_masks: found, iou_scores: scores } = await segment({ ...inputs, ...seen });
    const { original_sizes: original, reshaped_input_sizes: reshaped } = inputs;
    const sized = found && (await process.post_process_masks?.(found, original, reshaped));
    const guesses = sized?.[0]?.data;
    const rated = scores?.data;
    const isWhole =
      guesses instanceof Uint8Array &&
      rated instanceof Float32Array &&
      guesses.length === rated.length * size &&
      rated.every(Number.isFinite);
    if (!isWhole) throw new NoAnswer("unparsable", "SAM gave no masks of the image's size");
    const best = rated.indexOf(Math.max(...rated));
    const inBox = boxMask(box, pixels);
    const data = inBox.data.map((inside, place) => inside & (guesses[best * size + place] ?? 0));
    masks.push(data.includes(1) ? { width, height, data } : inBox);
  }
  return masks;
}
