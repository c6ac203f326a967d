import type { ImageGenerator } from "../core/models.js";
import type { About, Outcome } from "../core/records.js";
import type { StepContext } from "../core/step.js";
import { openGenerated } from "../images/picture-file.js";

/**
 * Makes one image and stores it; what the generator says is really in it is kept apart, as its
 * truth.
 */
export async function paintPicture(
  generator: ImageGenerator,
  {
    text,
    seed,
    prompt,
    role,
    sample,
  }: Pick<About<"image">, "text" | "seed" | "sample"> & Record<"prompt" | "role", string>,
  context: StepContext,
): Promise<Outcome<"image">> {
  const { signal, trace } = context;
  const request = { prompt: text, seed, place: { prompt, role, sample } };
  const made = await generator.generate(request, { signal, trace });
  const { mediaType, width, height } = await openGenerated(made.bytes);
  const image = await context.writeBlob(made.bytes, mediaType, made.file);
  if (made.truth !== undefined) await context.writeTruth(made.truth);
  const { revisedPrompt, making } = made;
  return {
    image,
    mediaType,
    width,
    height,
    ...(revisedPrompt === undefined ? {} : { revisedPrompt }),
    ...(making === undefined ? {} : { making }),
  };
}
