import { z } from "zod";
import { largestOf } from "../../core/arrays.js";
import type { Box, Detector, Localizer, Mask, Picture, Pixels } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { boxMask, unionOf, wholePixels } from "../../images/box.js";
import {
  type Loadable,
  onceLoaded,
  rawImage,
  type Source,
  type TransformersJsOptions,
} from "./loading.js";
import type {
  Detect,
  Processor,
  Segment,
  Tensor,
  TransformersLibrary,
} from "./transformers-library.js";

/** The least score of a detection, as in GroundingDINO's published code. */
const usualThreshold = 0.25;

interface DetectorOptions extends TransformersJsOptions {
  /** The least score of a detection, in (0, 1). Default 0.25; OWLv2 scores lower and needs 0.1. */
  readonly threshold?: number | undefined;
}

/**
 * A detector of things by any name (GroundingDINO, OWLv2).
 *
 * @param detector as for `transformersJs`, such as onnx-community/grounding-dino-tiny-ONNX
 * @throws InputError, when first asked, where the peer is missing or the model can't be loaded; NoAnswer
 *   "unparsable" where it returns no list of boxes.
 */
function zeroShotDetector(detector: string, options: DetectorOptions): Detector & Loadable {
  const { revision, threshold = usualThreshold } = options;
  const loaded = onceLoaded(detector, options, {
    kind: "detector",
    uses: ["pipeline", "RawImage"],
    load: async (library, { id, precise }) => ({
      library,
      find: await library.pipeline("zero-shot-object-detection", id, precise),
    }),
  });
  return {
    identity: { provider: "transformers-js", model: detector, ...(revision && { revision }) },
    async load() {
      await loaded();
    },
    async detect(image, entity, { signal } = {}) {
      const { library, find } = await loaded();
      signal?.throwIfAborted();
      const pixels = await image.pixels();
      const found = await find(rawImage(library, pixels), [asked(entity, find)], { threshold });
      return boxesOf(found, image);
    },
  };
}

/** GroundingDINO was trained on phrases in small letters, each with a full stop. */
const asked = (entity: string, { model }: Detect) =>
  model?.config.model_type === "grounding-dino" ? `${entity.toLowerCase()}.` : entity;

const detections = z.array(
  z.object({
    score: z.number(),
    box: z.object({ xmin: z.number(), ymin: z.number(), xmax: z.number(), ymax: z.number() }),
  }),
);

function boxesOf(found: unknown, image: Picture): Box[] {
  const parsed = detections.safeParse(found);
  if (!parsed.success) throw new NoAnswer("unparsable", "The detector gave no list of boxes");
  return parsed.data.flatMap(({ box: { xmin, ymin, xmax, ymax } }) => {
    const box = wholePixels({ x0: xmin, y0: ymin, x1: xmax, y1: ymax }, image);
    return box === undefined ? [] : [box];
  });
}

export interface LocalizerOptions extends DetectorOptions {
  /** A SAM that finds the entity's outline within its box; the whole box is its mask without. */
  readonly segmenter?: string | undefined;
}

/**
 * Finds entities by name: a detector (GroundingDINO, OWLv2) gives boxes, and SAM the outline in each. The
 * mask is the union of all detections, since "two cats" of a prompt is one entity. Without SAM the boxes are
 * the mask, and the model's name says so.
 *
 * @param detector as for `transformersJs`, such as onnx-community/grounding-dino-tiny-ONNX; or a model that
 *   gives boxes, such as `givenMasks` and `segmentHttp`
 * @throws InputError, when first asked, where the peer is missing or a model can't be loaded.
 * @example transformersJsLocalizer("onnx-community/grounding-dino-tiny-ONNX", { segmenter: "onnx-community/sam2.1-hiera-tiny-ONNX" })
 */
export function transformersJsLocalizer(
  detector: string | Detector,
  options: LocalizerOptions = {},
): Localizer & Loadable {
  const { segmenter, threshold = usualThreshold } = options;
  const found: Detector & Partial<Loadable> =
    typeof detector === "string" ? zeroShotDetector(detector, options) : detector;
  const segmenting =
    segmenter === undefined
      ? async () => undefined
      : // A revision is the detector's.
        onceLoaded(
          segmenter,
          { ...options, revision: undefined },
          {
            kind: "SAM model",
            uses: ["AutoConfig", "AutoProcessor", "RawImage", "SamModel", "Sam2Model"],
            load: loadSam,
          },
        );
  const { provider, model, ...place } = found.identity;
  const name = typeof detector === "string" ? detector : `${provider}:${model}`;
  const isUsual = typeof detector !== "string" || threshold === usualThreshold;
  return {
    identity: {
      ...place,
      provider: "transformers-js",
      model: `localizer:${name}+${segmenter ?? "boxes"}${isUsual ? "" : `, threshold ${threshold}`}`,
    },
    async load() {
      await found.load?.();
      await segmenting();
    },
    async localize(image, entity, callOptions = {}) {
      const boxes = await found.detect(image, entity, callOptions);
      if (boxes.length === 0) return undefined;
      const sam = await segmenting();
      callOptions.signal?.throwIfAborted();
      const masks =
        sam === undefined
          ? boxes.map((box) => boxMask(box, image))
          : await samMasks(sam, { pixels: await image.pixels(), boxes });
      const mask = unionOf(masks, image);
      return mask.data.includes(1) ? mask : undefined;
    },
  };
}

interface LoadedSam {
  readonly library: Pick<TransformersLibrary, "RawImage">;
  readonly process: Processor;
  readonly segment: Segment;
  readonly takesBoxes: boolean;
}

/** Loads a SAM; all kinds after the first are called alike. */
async function loadSam(
  library: Pick<
    TransformersLibrary,
    "AutoConfig" | "AutoProcessor" | "RawImage" | "SamModel" | "Sam2Model"
  >,
  { id, from, precise }: Source,
): Promise<LoadedSam> {
  const { model_type: kind } = await library.AutoConfig.from_pretrained(id, from);
  const process = await library.AutoProcessor.from_pretrained(id, from);
  // The library calls the first SAM with points alone, even where its weights take boxes.
  if (kind === "sam") {
    const segment = await library.SamModel.from_pretrained(id, precise);
    return { library, process, segment, takesBoxes: false };
  }
  const segment = await library.Sam2Model.from_pretrained(id, precise);
  const { inputNames = [] } = segment.sessions?.prompt_encoder_mask_decoder ?? {};
  return { library, process, segment, takesBoxes: inputNames.includes("input_boxes") };
}

/**
 * Returns SAM's outline of the thing in each box: the candidate that SAM rates highest. The image is encoded
 * once. Weights that take boxes (SAM 2, EdgeTAM, SAM 3's tracker) get the box; those that take points alone
 * (the first SAM) get its middle, and the outline is cut at the box. An empty outline becomes the box.
 */
async function samMasks(
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
