import { type ImageGenerator, modelFacts, placedName } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { type DoneRecord, type ImageRole, imageRoles, promptSplits } from "../../core/records.js";
import type { Step } from "../../core/step.js";
import { paintPicture } from "../paint-picture.js";
import type { Split } from "./scenes.js";

export interface PaintImagesOptions {
  readonly generator: ImageGenerator;
  readonly seed: number;
  /** How many images for each prompt and role. */
  readonly samples?: number;
  /** The splits whose prompts are painted. */
  readonly splits?: readonly Split[];
  /** Without the control roles only the paper's own comparison can be made, at half the price. */
  readonly roles?: readonly ImageRole[];
}

/**
 * The step that makes images from the prompts: for each prompt that was written, `samples` images
 * of each role. The roles of one sample share a seed, as one keeps a diffusion model's seed for a
 * pair, so that its images differ in what their sentences say and as little as can be in the rest.
 * What the generator says is really in a picture is kept apart, as its truth.
 */
export function paintImages({
  generator,
  seed,
  samples = 5,
  splits = promptSplits,
  roles = imageRoles,
}: PaintImagesOptions): Step<"image"> {
  const facts = modelFacts(generator.identity);
  return {
    name: "paint-images",
    version: 1,
    produces: "image",
    parameters: { generator: { ...generator.identity }, seed, samples, splits, roles },
    asks: [placedName(generator.identity)],
    async *plan(records) {
      for await (const prompt of records.ofType("prompt")) {
        if (prompt.status !== "done" || !splits.includes(prompt.split)) continue;
        for (let sample = 0; sample < samples; sample++) {
          for (const role of roles) {
            yield {
              prompt: prompt.key,
              role,
              sample,
              text: textOfRole(prompt, role),
              // Below 2^31, which every provider takes.
              seed: randomFrom(seed, "paint", prompt.key, sample).integer(2 ** 31),
              ...facts,
            };
          }
        }
      }
    },
    perform: (about, context) => paintPicture(generator, about, context),
  };
}

/** The sentence that an image of this role is made from. */
function textOfRole(prompt: DoneRecord<"prompt">, role: ImageRole): string {
  switch (role) {
    case "correct":
      return prompt.correct;
    case "adversarial":
      return prompt.adversarial;
    case "control-correct":
      return prompt.controlCorrect;
    case "control-adversarial":
      return prompt.controlAdversarial;
  }
}
