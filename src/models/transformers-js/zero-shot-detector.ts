import { z } from "zod";
import type { Box, Detector, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { wholePixels } from "../../images/box.js";
import { type Loadable, onceLoaded, rawImage, type TransformersJsOptions } from "./loading.js";
import type { Detect } from "./transformers-library.js";

/** Below this a detection is none, as in GroundingDINO's published code. */
export const usualThreshold = 0.25;

export interface DetectorOptions extends TransformersJsOptions {
  /** How sure a detection must be, in (0, 1); 0.25. OWLv2 is less sure of itself: 0.1. */
  readonly threshold?: number | undefined;
}

/**
 * A detector that takes any name (GroundingDINO, OWLv2).
 *
 * @param detector as for `transformersJs`, such as onnx-community/grounding-dino-tiny-ONNX
 * @throws InputError, when first asked, where the peer is missing or the model can't be loaded; NoAnswer
 *   "unparsable" for what is no list of boxes.
 */
export function zeroShotDetector(detector: string, options: DetectorOptions): Detector & Loadable {
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
