import type { Acuity } from "../../analysis/sanity/sanity-text.js";
import { allEnded } from "../../core/all-ended.js";
import { type CallOptions, type ChatModel, modelName } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { asking } from "./check-sight.js";
import { colourNames, discImage } from "./colour-images.js";

const question =
  "There is one disc in this image. Which colour is it: red, green, blue, yellow, black or white? " +
  "Answer with one word.";

const enough = 3;
const diameters = [256, 128, 64, 32, 16, 8, 4] as const;

/**
 * Measures down to which size a model names the colour of a disc on mid grey in an image of 1,024 x 1,024
 * pixels: four times a size, from large to small, ending at the first size with fewer than three right.
 *
 * @returns undefined where calls without an answer leave that open
 */
export async function measureAcuity(
  model: ChatModel,
  { seed, ...options }: CallOptions & { readonly seed: string | number },
): Promise<Acuity | undefined> {
  const random = randomFrom("acuity", seed, modelName(model.identity));
  let pixels: number | null = null;
  for (const diameter of diameters) {
    // Four different colours: no question is asked twice.
    const colours = random.shuffle(colourNames).slice(0, 4);
    const discs = await allEnded(colours.map((colour) => discImage({ colour, diameter }, random)));
    const asked = await allEnded(discs.map((image) => asking(model, [image, question], options)));
    const isRight = ({ named }: (typeof asked)[number], at: number) =>
      named.length === 1 && named[0] === colours[at];
    const right = asked.filter(isRight).length;
    const silent = asked.filter(({ isAnswered }) => !isAnswered).length;
    if (right < enough && right + silent >= enough) return undefined;
    if (right < enough) break;
    pixels = diameter;
  }
  return { pixels, of: 1024 };
}
