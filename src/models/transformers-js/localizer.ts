import { z } from "zod";
import type { Localizer, Mask, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { type Box, boxMask, wholePixels } from "./box-mask.js";
import { type Loadable, onceLoaded, rawImage, type TransformersJsOptions } from "./loading.js";
import { type LoadedSam, samMasks } from "./sam-mask.js";
import type { Detect } from "./transformers-library.js";

/** Below this a detection is none, as in GroundingDINO's published code. */
const usualThreshold = 0.25;

export interface LocalizerOptions extends TransformersJsOptions {
  /** A SAM that finds the entity's outline within its box; the whole box is its mask without. */
  readonly segmenter?: string | undefined;
  /** How sure a detection must be, in (0, 1); 0.25. OWLv2 is less sure of itself: 0.1. */
  readonly threshold?: number | undefined;
}

/**
 * Finds entities by their names: a detector that takes any name (GroundingDINO, OWLv2) gives boxes,
 * and SAM the outline in each. The mask is the union over all detections, since a prompt's "two cats"
 * is one entity. Without SAM the boxes are the mask, and the model's name says so.
 *
 * @param detector as for `transformersJs`, such as onnx-community/grounding-dino-tiny-ONNX
 * @throws InputError, when first asked, where the peer is missing or a model can't be loaded.
 * @example transformersJsLocalizer("onnx-community/grounding-dino-tiny-ONNX", { segmenter: "Xenova/slimsam-77-uniform" })
 */
export function transformersJsLocalizer(
  detector: string,
  options: LocalizerOptions = {},
): Localizer & Loadable {
  const { segmenter, revision, threshold = usualThreshold } = options;
  const detecting = onceLoaded(detector, options, {
    kind: "detector",
    uses: ["pipeline", "RawImage"],
    load: async (library, { id, precise }) => ({
      library,
      detect: await library.pipeline("zero-shot-object-detection", id, precise),
    }),
  });
  const segmenting =
    segmenter === undefined
      ? async () => undefined
      : // A revision is the detector's.
        onceLoaded(
          segmenter,
          { ...options, revision: undefined },
          {
            kind: "SAM model",
            uses: ["SamModel", "AutoProcessor", "RawImage"],
            load: async (library, { id, from, precise }): Promise<LoadedSam> => ({
              library,
              process: await library.AutoProcessor.from_pretrained(id, from),
              segment: await library.SamModel.from_pretrained(id, precise),
            }),
          },
        );
  return {
    identity: {
      provider: "transformers-js",
      model:
        `localizer:${detector}+${segmenter ?? "boxes"}` +
        (threshold === usualThreshold ? "" : `, threshold ${threshold}`),
      ...(revision && { revision }),
    },
    async load() {
      await detecting();
      await segmenting();
    },
    async localize(image, entity, { signal } = {}) {
      const { library, detect } = await detecting();
      const sam = await segmenting();
      signal?.throwIfAborted();
      const pixels = await image.pixels();
      const found = await detect(rawImage(library, pixels), [asked(entity, detect)], { threshold });
      const boxes = boxesOf(found, image);
      if (boxes.length === 0) return undefined;
      signal?.throwIfAborted();
      const masks =
        sam === undefined
          ? boxes.map((box) => boxMask(box, image))
          : await samMasks(sam, { pixels, boxes });
      const mask = union(masks, image);
      return mask.data.includes(1) ? mask : undefined;
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
  return parsed.data
    .map(({ box }) => wholePixels(box, image))
    .filter(({ left, top, right, bottom }) => right > left && bottom > top);
}

function union(masks: readonly Mask[], { width, height }: Picture): Mask {
  const data = new Uint8Array(width * height);
  for (const mask of masks) {
    for (let place = 0; place < data.length; place++) {
      if (mask.data[place]) data[place] = 1;
    }
  }
  return { width, height, data };
}
