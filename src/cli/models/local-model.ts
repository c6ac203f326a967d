import { InputError } from "../../core/errors.js";
import type { Model } from "../../core/models.js";
import type { EncoderOptions } from "../../models/transformers-js/dual-encoder.js";
import type { Loadable, TransformersJsOptions } from "../../models/transformers-js/loading.js";
import type { LocalizerOptions } from "../../models/transformers-js/localizer.js";

/**
 * A model of Transformers.js: `owner/name` is a CLIP; `siglip:owner/name`, `vlm:owner/name` and
 * `localizer:DETECTOR+SAM` (or `localizer:DETECTOR`) are what they say. Only its kind's code is loaded.
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
      const { transformersJs } = await import("../../models/transformers-js/transformers-js.js");
      return transformersJs(name, { ...options, logitScale });
    }
    case "siglip": {
      const { transformersJsSiglip } = await import("../../models/transformers-js/siglip.js");
      return transformersJsSiglip(name, { ...options, logitScale });
    }
    case "localizer": {
      const { transformersJsLocalizer } = await import("../../models/transformers-js/localizer.js");
      const [detector = name, segmenter] = name.split("+");
      return transformersJsLocalizer(detector, { ...options, segmenter, threshold });
    }
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
