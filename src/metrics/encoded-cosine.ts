import type { CallOptions, ImageEmbedder, Picture, TextEmbedder } from "../core/models.js";
import { cosine } from "./cosine.js";

/**
 * The cosine between an image and a text in a dual encoder's space, in [-1, 1]. Both are asked for before either
 * fails, so that who counts calls in advance counts both.
 */
export async function encodedCosine(
  model: ImageEmbedder & TextEmbedder,
  { image, text }: { readonly image: Picture; readonly text: string },
  options?: CallOptions,
): Promise<number> {
  const [imageVector, textVector] = await Promise.allSettled([
    model.embedImage(image, options),
    model.embedText(text, options),
  ]);
  if (imageVector.status === "rejected") throw imageVector.reason;
  if (textVector.status === "rejected") throw textVector.reason;
  return cosine(imageVector.value, textVector.value);
}
