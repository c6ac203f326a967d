import type { CallOptions, ImageEmbedder, Picture, TextEmbedder } from "../core/models.js";
import { cosine } from "./cosine.js";

/** The cosine between an image and a text in a dual encoder's space, in [-1, 1]. */
export async function encodedCosine(
  model: ImageEmbedder & TextEmbedder,
  { image, text }: { readonly image: Picture; readonly text: string },
  options?: CallOptions,
): Promise<number> {
  const imageVector = await model.embedImage(image, options);
  return cosine(imageVector, await model.embedText(text, options));
}
