import { InputError } from "../../core/errors.js";
import type { Detector, Model } from "../../core/models.js";
import type { EncoderOptions } from "../../models/transformers-js/dual-encoder.js";
import type { Loadable, TransformersJsOptions } from "../../models/transformers-js/loading.js";
import type { LocalizerOptions } from "../../models/transformers-js/localizer.js";

/** The detector of another provider that a name is, if it is one. */
type DetectorNamed = (name: string) => Promise<Detector | undefined>;

/**
 * A model of Transformers.js: `owner/name` is a CLIP; `siglip:owner/name`, `vlm:owner/name` and
 * `localizer:DETECTOR+SAM` (or `localizer:DETECTOR`) are what they say, where a detector may be of another
 * provider (`localizer:masks:boxes.jsonl+SAM`). Only its kind's code is loaded.
 *
 * @param options.threshold of a localizer alone
 * @param options.logitScale of an encoder (CLIP, SigLIP) alone
 * @throws InputError for another kind, or an option of other kinds.
 */
export async function localModel(
  text: string,
  {
    threshold,
    logitScale,
    ...options
  }: TransformersJsOptions & Pick<LocalizerOptions, "threshold"> & EncoderOptions,
  detectorNamed: DetectorNamed = async () => undefined,
): Promise<Model & Loadable> {
  const [, kind = "clip", name = text] = /^([a-z]+):(?!\/)(.+)$/s.exec(text) ?? [];
  if (threshold !== undefined && kind !== "localizer") {
    throw new InputError(
      `Expected a threshold of a localizer alone but received ${threshold} for ${text}`,
    );
  }
  if (logitScale !== undefined && kind !== "clip" && kind !== "siglip") {
    throw new InputError(
      `Expected a logitScale of a CLIP or SigLIP alone but received ${logitScale} for ${text}`,
    );
  }
  switch (kind) {
    case "clip": {
      const { transformersJs } = await import("../../models/transformers-js/dual-encoder.js");
      return transformersJs(name, { ...options, logitScale });
    }
    case "siglip": {
      const { transformersJsSiglip } = await import("../../models/transformers-js/dual-encoder.js");
      return transformersJsSiglip(name, { ...options, logitScale });
    }
    case "localizer":
      return localizer(name, { ...options, threshold }, detectorNamed);
    case "vlm": {
      const { transformersJsChat } = await import("../../models/transformers-js/vision-chat.js");
      const { answersQuestions } = await import("../../models/chat/answers-questions.js");
      const model = transformersJsChat(name, options);
      return { ...answersQuestions(model), load: () => model.load() };
    }
    default:
      throw new InputError(
        `Expected siglip:, vlm: or localizer: before the name of a model, or the name of a CLIP, ` +
          `for transformers-js but received "${text}"`,
      );
  }
}

/** @throws InputError where a detector of another provider is given what detectors here are set by. */
async function localizer(
  name: string,
  options: LocalizerOptions,
  detectorNamed: DetectorNamed,
): Promise<Model & Loadable> {
  const { transformersJsLocalizer } = await import("../../models/transformers-js/localizer.js");
  const plus = name.lastIndexOf("+");
  const [detector, sam] = plus < 0 ? [name] : [name.slice(0, plus), name.slice(plus + 1)];
  // "+boxes" is how a localizer without a SAM is named.
  const segmenter = sam === "boxes" ? undefined : sam;
  const other = await detectorNamed(detector);
  if (other === undefined) return transformersJsLocalizer(detector, { ...options, segmenter });
  for (const setting of ["revision", "threshold"] as const) {
    if (options[setting] === undefined) continue;
    throw new InputError(
      `Expected a ${setting} of a detector of transformers-js alone but received ${options[setting]} for ${detector}`,
    );
  }
  return transformersJsLocalizer(other, { ...options, segmenter });
}
