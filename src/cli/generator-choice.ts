import { InputError } from "../core/errors.js";
import type { ImageGenerator } from "../core/models.js";
import { cannotDraw, labPainter } from "../lab/painter/painter.js";

export interface ChosenGenerator {
  readonly generator: ImageGenerator;
  /** Why it can't draw a sentence; undefined if it can. */
  readonly cannotDraw: (sentence: string) => string | undefined;
}

/**
 * The image generator that `provider:model` names.
 *
 * @throws InputError for one that does not exist.
 */
export function chooseGenerator(text: string): ChosenGenerator {
  if (text === "lab:painter") return { generator: labPainter(), cannotDraw };
  throw new InputError(`Expected lab:painter for the generator but received "${text}"`, {
    hint: "Hosted generators and folders of images are not built in yet.",
  });
}
