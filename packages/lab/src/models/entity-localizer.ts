import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import type { Localizer, Mask, ModelIdentity } from "touchstone-t2i/internal/core/models.js";
import type { FloatTensor } from "./graph-run.js";
import { lookingModel } from "./looking-model.js";
import type { Runtime } from "./runtime.js";

/**
 * A localiser from a folder as `lookingModel` reads it, with onnx/mask_model.onnx, whose logits
 * ([1, rows, columns]) say of places of the image whether they show the entity. The mask has the
 * image's size: logits are interpolated between the places' centres, and inside is what is above 0,
 * but for specks. Every thing of the name is inside; where no pixel is, the entity was not found.
 */
export function entityLocalizer(
  directory: URL,
  identity: () => ModelIdentity,
  runtime?: Runtime,
): Localizer {
  const model = lookingModel(directory, "mask_model", { runtime, isPassing: true });
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
  const across = between(width, columns);
  const down = between(height, rows);
  const inside = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const upper = (down.before[y] ?? 0) * columns;
    const lower = (down.after[y] ?? 0) * columns;
    const share = down.share[y] ?? 0;
    for (let x = 0; x < width; x++) {
      const before = across.before[x] ?? 0;
      const after = across.after[x] ?? 0;
      const part = across.share[x] ?? 0;
      const above = mix(data[upper + before] ?? 0, data[upper + after] ?? 0, part);
      const below = mix(data[lower + before] ?? 0, data[lower + after] ?? 0, part);
      inside[y * width + x] = mix(above, below, share) > 0 ? 1 : 0;
    }
  }
  return withoutSpecks({ width, height, data: inside });
}

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

/** For each pixel the two places between whose centres its own lies, and how far it is to the second. */
function between(pixels: number, places: number) {
  const before = new Int32Array(pixels);
  const after = new Int32Array(pixels);
  const share = new Float64Array(pixels);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = Math.min(Math.max(((pixel + 0.5) * places) / pixels - 0.5, 0), places - 1);
    const first = Math.floor(at);
    before[pixel] = first;
    after[pixel] = Math.min(first + 1, places - 1);
    share[pixel] = at - first;
  }
  return { before, after, share };
}

/** A part smaller than this share of the mask's largest part is a speck. */
const leastShare = 0.05;

/**
 * Returns a mask without its specks, since a stray pixel far off would enlarge the box to crop. Parts are
 * connected by the sides of pixels.
 */
export function withoutSpecks({ width, height, data }: Mask): Mask {
  // 0: outside or not yet reached; parts are numbered from 1.
  const part = new Int32Array(data.length);
  // Each pixel is pushed once, so the stack never needs more than one place a pixel.
  const open = new Int32Array(data.length);
  const sizes = [0];
  for (let start = 0; start < data.length; start++) {
    if (data[start] !== 1 || part[start] !== 0) continue;
    const number = sizes.length;
    let size = 0;
    let standing = 0;
    const reach = (next: number) => {
      if (data[next] !== 1 || part[next] !== 0) return;
      part[next] = number;
      open[standing++] = next;
    };
    reach(start);
    while (standing > 0) {
      const at = open[--standing] ?? 0;
      size++;
      const column = at % width;
      if (column > 0) reach(at - 1);
      if (column < width - 1) reach(at + 1);
      reach(at - width);
      reach(at + width);
    }
    sizes.push(size);
  }
  const least = leastShare * largestOf(sizes);
  const kept = new Uint8Array(data.length);
  for (let at = 0; at < part.length; at++) {
    const number = part[at] ?? 0;
    if (number > 0 && (sizes[number] ?? 0) >= least) kept[at] = 1;
  }
  return { width, height, data: kept };
}
