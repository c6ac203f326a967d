import { largestOf } from "../../core/extremes.js";
import type { Box, Mask, Pixels } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { boxMask } from "../../images/box.js";
import { rawImage, type Source } from "./loading.js";
import type { Processor, Segment, Tensor, TransformersLibrary } from "./transformers-library.js";

export interface LoadedSam {
  readonly library: Pick<TransformersLibrary, "RawImage">;
  readonly process: Processor;
  readonly segment: Segment;
  readonly takesBoxes: boolean;
}

/** Loads a SAM by its kind; those that came after the first one are all asked alike. */
export async function loadSam(
  library: Pick<
    TransformersLibrary,
    "AutoConfig" | "AutoProcessor" | "RawImage" | "SamModel" | "Sam2Model"
  >,
  { id, from, precise }: Source,
): Promise<LoadedSam> {
  const { model_type: kind } = await library.AutoConfig.from_pretrained(id, from);
  const process = await library.AutoProcessor.from_pretrained(id, from);
  // The library's code of the first SAM asks for points, whatever the weights take.
  if (kind === "sam") {
    const segment = await library.SamModel.from_pretrained(id, precise);
    return { library, process, segment, takesBoxes: false };
  }
  const segment = await library.Sam2Model.from_pretrained(id, precise);
  const { inputNames = [] } = segment.sessions?.prompt_encoder_mask_decoder ?? {};
  return { library, process, segment, takesBoxes: inputNames.includes("input_boxes") };
}

/**
 * SAM's outline of the thing in each box: of its guesses the one that it rates highest. The image is looked
 * at once for all boxes. Weights that take boxes (SAM 2, EdgeTAM, SAM 3's tracker) are given each as it is;
 * those that take points alone (the first SAM) its middle, and what they find is cut at the box. Where
 * nothing is found, the box is the mask.
 */
export async function samMasks(
  { library, process, segment, takesBoxes }: LoadedSam,
  { pixels, boxes }: { readonly pixels: Pixels; readonly boxes: readonly Box[] },
): Promise<Mask[]> {
  const image = rawImage(library, pixels);
  const seen = await segment.get_image_embeddings(await process(image));
  const masks: Mask[] = [];
  for (const box of boxes) {
    const inputs = await process(image, takesBoxes ? inBox(box) : atMiddle(box));
    const { pred_masks: found, iou_scores: scores } = await segment({ ...inputs, ...seen });
    const { original_sizes: original, reshaped_input_sizes: reshaped } = inputs;
    const sized = found && (await process.post_process_masks?.(found, original, reshaped));
    const best = bestGuess(sized?.[0], scores, pixels);
    const whole = boxMask(box, pixels);
    const data = takesBoxes ? best : best.map((inside, place) => inside & (whole.data[place] ?? 0));
    masks.push(data.includes(1) ? { ...whole, data } : whole);
  }
  return masks;
}

const inBox = ({ x0, y0, x1, y1 }: Box) => ({ input_boxes: [[[x0, y0, x1, y1]]] });

const atMiddle = ({ x0, y0, x1, y1 }: Box) => ({
  input_points: [[[[(x0 + x1) / 2, (y0 + y1) / 2]]]],
  input_labels: [[[1]]],
});

function bestGuess(
  guesses: Tensor | undefined,
  scores: Tensor | undefined,
  { width, height }: Pixels,
): Uint8Array {
  const size = width * height;
  const masks = guesses?.data;
  const rated = scores?.data;
  const isWhole =
    masks instanceof Uint8Array &&
    rated instanceof Float32Array &&
    masks.length === rated.length * size &&
    rated.every(Number.isFinite);
  if (!isWhole) throw new NoAnswer("unparsable", "SAM gave no masks of the image's size");
  const best = rated.indexOf(largestOf(rated));
  return masks.slice(best * size, (best + 1) * size);
}
