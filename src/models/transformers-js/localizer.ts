import type { Detector, Localizer } from "../../core/models.js";
import { boxMask, unionOf } from "../../images/box.js";
import { type Loadable, onceLoaded } from "./loading.js";
import { loadSam, samMasks } from "./sam-mask.js";
import { type DetectorOptions, usualThreshold, zeroShotDetector } from "./zero-shot-detector.js";

export interface LocalizerOptions extends DetectorOptions {
  /** A SAM that finds the entity's outline within its box; the whole box is its mask without. */
  readonly segmenter?: string | undefined;
}

/**
 * Finds entities by their names: a detector that takes any name (GroundingDINO, OWLv2) gives boxes,
 * and SAM the outline in each. The mask is the union over all detections, since a prompt's "two cats"
 * is one entity. Without SAM the boxes are the mask, and the model's name says so.
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
