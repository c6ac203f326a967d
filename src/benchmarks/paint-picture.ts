import type { GenerationRequest, ImageGenerator } from "../core/models.js";
import type { Outcome } from "../core/records.js";
import type { StepContext } from "../core/step.js";
import { NoAnswer } from "../core/unscored.js";
import { openPicture } from "../images/picture.js";

/**
 * Makes one image and stores it; what the generator says is really in it is kept apart, as its
 * truth.
 */
export async function paintPicture(
  generator: ImageGenerator,
  request: GenerationRequest,
  context: StepContext,
): Promise<Outcome<"image">> {
  const { signal, trace } = context;
  const made = await generator.generate(request, { signal, trace });
  const { mediaType, width, height } = await openGenerated(made.bytes);
  const image = await context.writeBlob(made.bytes, mediaType, made.file);
  if (made.truth !== undefined) await context.writeTruth(made.truth);
  const { revisedPrompt } = made;
  return {
    image,
    mediaType,
    width,
    height,
    ...(revisedPrompt === undefined ? {} : { revisedPrompt }),
  };
}

/** Opens what a generator made; that it can't be read is the generator's fault. */
async function openGenerated(bytes: Uint8Array) {
  try {
    return await openPicture(bytes, "the generated image");
  } catch (cause) {
    if (!(cause instanceof NoAnswer)) throw cause;
    throw new NoAnswer("provider-error", cause.message, { cause });
  }
}
