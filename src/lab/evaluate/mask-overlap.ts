import type { Mask } from "../../core/models.js";

/**
 * Intersection over union of two masks of one size: the pixels inside both, by those inside either.
 *
 * @returns in [0, 1]; 0 where one has nothing inside, NaN where neither has.
 * @throws RangeError where the sizes differ.
 */
export function maskOverlap(first: Mask, second: Mask): number {
  if (first.width !== second.width || first.height !== second.height) {
    throw new RangeError(
      `Expected masks of one size but received ${first.width} x ${first.height} and ` +
        `${second.width} x ${second.height}`,
    );
  }
  let both = 0;
  let either = 0;
  first.data.forEach((inside, at) => {
    const also = second.data[at] ?? 0;
    both += inside & also;
    either += inside | also;
  });
  return both / either;
}
