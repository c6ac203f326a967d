import type { Localizer, Mask, ModelIdentity } from "../../core/models.js";
import { lookingModel } from "./looking-model.js";
import type { FloatTensor } from "./onnx-session.js";
import { withoutSpecks } from "./without-specks.js";

/**
 * A localiser from a folder as `lookingModel` reads it, with onnx/mask_model.onnx, whose logits
 * ([1, rows, columns]) say of places of the image whether they show the entity. The mask has the
 * image's size: logits are interpolated between the places' centres, and inside is what is above 0,
 * but for specks. Every thing of the name is inside; where no pixel is, the entity was not found.
 */
export function entityLocalizer(directory: URL, identity: () => ModelIdentity): Localizer {
  const model = lookingModel(directory, "mask_model");
  return {
    get identity() {
      return identity();
    },
    async localize(image, entity, options) {
      const [logits] = await model.read(image, [entity], options);
      const mask = logits && maskOf(logits, image);
      return mask?.data.includes(1) === true ? mask : undefined;
    },
  };
}

/** Where the logits, interpolated to an image's size, are above 0. */
function maskOf({ data, dims }: FloatTensor, image: Omit<Mask, "data">): Mask {
  const { width, height } = image;
  const [rows = 0, columns = 0] = dims.slice(-2);
  const across = Array.from({ length: width }, (_, x) => between(x, width, columns));
  const inside = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const down = between(y, height, rows);
    const [upper, lower] = [down.before * columns, down.after * columns];
    for (const [x, { before, after, share }] of across.entries()) {
      const above = mix(data[upper + before], data[upper + after], share);
      const below = mix(data[lower + before], data[lower + after], share);
      inside[y * width + x] = mix(above, below, down.share) > 0 ? 1 : 0;
    }
  }
  return withoutSpecks({ width, height, data: inside });
}

const mix = (from = 0, to = 0, share: number): number => from + (to - from) * share;

/** The two places between whose centres a pixel's centre lies, and how far it is to the second. */
function between(pixel: number, pixels: number, places: number) {
  const at = Math.min(Math.max(((pixel + 0.5) * places) / pixels - 0.5, 0), places - 1);
  const before = Math.floor(at);
  return { before, after: Math.min(before + 1, places - 1), share: at - before };
}
