import { InputError } from "../core/errors.js";
import type { Box, Mask, Pixels } from "../core/models.js";
import { boxAround, searchable } from "./box.js";
import { blurred, wholeOf } from "./gaussian-blur.js";
import { enlarge } from "./lanczos.js";

/** How an image is narrowed down to one entity, from not at all to what L-VQAScore does. */
export const localizationStrategies = [
  "none",
  "masking",
  "blurring",
  "cropping",
  "masking+cropping",
  "blurring+cropping",
] as const;

export type LocalizationStrategy = (typeof localizationStrategies)[number];

/**
 * An image narrowed down to what lies in a mask, as L-VQAScore shows it to a question answerer
 * (Liu et al., section 4.1): outside the mask it is black (`masking`) or blurred (`blurring`);
 * `cropping` cuts out the mask's box with a margin, scales it to fit the image's own size by
 * Lanczos and centres it on white. Sizes and offsets are rounded half to even.
 *
 * @returns an image of the same size; for `none` the image itself.
 * @throws InputError where the mask has another size or nothing is inside it.
 * @example localize(await picture.pixels(), { mask, strategy: "blurring+cropping" })
 */
export function localize(
  pixels: Pixels,
  { mask, strategy }: { readonly mask: Mask; readonly strategy: LocalizationStrategy },
): Pixels {
  checkSize(pixels, mask);
  if (strategy === "none") return pixels;
  const box = boxAround(mask);
  if (box === undefined) {
    throw new InputError("Expected a mask with something inside but all of it is outside");
  }
  const [surroundings, isCropped] = stepsOf[strategy];
  const shown = isCropped ? box : wholeOf(pixels);
  const part = withSurroundings(pixels, { mask, box: shown, surroundings });
  return isCropped ? fitOnWhite(part, pixels) : part;
}

type Surroundings = "as they are" | "black" | "blurred";

const stepsOf: Readonly<
  Record<Exclude<LocalizationStrategy, "none">, readonly [Surroundings, isCropped: boolean]>
> = {
  masking: ["black", false],
  blurring: ["blurred", false],
  cropping: ["as they are", true],
  "masking+cropping": ["black", true],
  "blurring+cropping": ["blurred", true],
};

function checkSize(pixels: Pixels, mask: Mask): void {
  if (mask.width === pixels.width && mask.height === pixels.height) return;
  throw new InputError(
    `Expected a mask of the image's size, ${pixels.width} x ${pixels.height} pixels, but received ` +
      `${mask.width} x ${mask.height}`,
  );
}

/** The part of the image in the box, with what lies outside the mask made black or blurred. */
function withSurroundings(
  pixels: Pixels,
  { mask, box, surroundings }: { mask: Mask; box: Box; surroundings: Surroundings },
): Pixels {
  const width = box.x1 - box.x0;
  const height = box.y1 - box.y0;
  const { data } =
    surroundings === "blurred"
      ? blurred(pixels, box)
      : { data: new Uint8Array(width * height * 3) };
  const inside = searchable(mask);
  const source = searchable(pixels);
  const target = searchable({ data });
  let next = inside.indexOf(1);
  for (let y = 0; y < height; y++) {
    const start = (y + box.y0) * pixels.width + box.x0;
    const end = start + width;
    const copy = (from: number, to: number) =>
      source.copy(target, (y * width + from - start) * 3, from * 3, to * 3);
    if (surroundings === "as they are") {
      copy(start, end);
      continue;
    }
    if (next >= 0 && next < start) next = inside.indexOf(1, start);
    while (next >= 0 && next < end) {
      const outside = inside.indexOf(0, next);
      const to = outside < 0 ? end : Math.min(outside, end);
      copy(next, to);
      next = inside.indexOf(1, to);
    }
  }
  return { width, height, data };
}

/** The part as large as fits into the size, proportions kept, in the middle of white. */
function fitOnWhite(part: Pixels, { width, height }: Pixels): Pixels {
  // Whichever side fills its side of the frame; compared as products, so that no rounding decides.
  const isWide = part.width * height >= part.height * width;
  const size = isWide
    ? { width, height: Math.max(1, roundHalfEven((part.height / part.width) * width)) }
    : { width: Math.max(1, roundHalfEven((part.width / part.height) * height)), height };
  const fitted = enlarge(part, size.width, size.height);
  if (size.width === width && size.height === height) return fitted;
  const data = new Uint8Array(width * height * 3).fill(255);
  const left = roundHalfEven((width - size.width) / 2);
  const top = roundHalfEven((height - size.height) / 2);
  const length = size.width * 3;
  for (let y = 0; y < size.height; y++) {
    const row = fitted.data.subarray(y * length, (y + 1) * length);
    data.set(row, ((y + top) * width + left) * 3);
  }
  return { width, height, data };
}

/**
 * The nearest whole number; halves go to the even one, as IEEE 754 and Python's `round` have it.
 *
 * @example roundHalfEven(2.5) // 2
 */
export function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}
