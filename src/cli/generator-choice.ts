import { InputError } from "../core/errors.js";
import type { ImageGenerator } from "../core/models.js";
import { experimentDefects } from "../lab/experiment.js";
import { cannotDraw, labPainter } from "../lab/painter/painter.js";
import { painterNames } from "../lab/painter/painters.js";

export interface ChosenGenerator {
  readonly generator: ImageGenerator;
  /** Why it can't draw a sentence; undefined if it can. */
  readonly cannotDraw: (sentence: string) => string | undefined;
}

/** The mistakes that the lab's painter can be told to make. */
export const defectChoices = ["none", "demo"] as const;

/**
 * The image generator that `provider:model` names; with `defects` "demo" it goes wrong as often as
 * that of `touchstone demo`. lab:painter-a to -e err at rates of their own, a least.
 *
 * @throws InputError for one that does not exist.
 */
export function chooseGenerator(
  text: string,
  defects: (typeof defectChoices)[number] = "none",
): ChosenGenerator {
  const options = defects === "demo" ? { defects: experimentDefects() } : {};
  if (text === "lab:painter") return { generator: labPainter(options), cannotDraw };
  const name = painterNames.find((one) => text === `lab:painter-${one}`);
  if (name !== undefined) return { generator: labPainter({ name, ...options }), cannotDraw };
  throw new InputError(
    `Expected lab:painter, or lab:painter-a to -e, for the generator but received "${text}"`,
    { hint: "Hosted generators and folders of images are not built in yet." },
  );
}
