import type { Mask } from "../core/models.js";

/**
 * A mask as run lengths over its pixels row by row: first those outside, then inside, and so on, as
 * COCO counts them (but by rows).
 *
 * @example maskRuns({ width: 2, height: 2, data: Uint8Array.of(0, 1, 1, 0) }) // [1, 2, 1]
 */
export function maskRuns({ data }: Mask): number[] {
  const runs: number[] = [];
  let inside = 0;
  let length = 0;
  for (const pixel of data) {
    if (pixel !== inside) {
      runs.push(length);
      inside = pixel;
      length = 0;
    }
    length++;
  }
  runs.push(length);
  return runs;
}

/** The mask of this size with these runs; undefined where they do not fill it. */
export function maskOfRuns(
  runs: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): Mask | undefined {
  const sum = runs.reduce((total, length) => total + length, 0);
  if (sum !== width * height || runs.some((length) => !(length >= 0))) return undefined;
  const data = new Uint8Array(width * height);
  let at = 0;
  runs.forEach((length, run) => {
    if (run % 2 === 1) data.fill(1, at, at + length);
    at += length;
  });
  return { width, height, data };
}
