import { largestOf } from "../../core/extremes.js";
import type { Mask } from "../../core/models.js";

/** A part of a mask smaller than this share of its largest part is a speck. */
const leastShare = 0.05;

/**
 * A mask without its specks: a few stray pixels far off would make the box around it, and with it
 * what is cropped, much larger than what is meant. Parts hang together by the sides of pixels.
 */
export function withoutSpecks({ width, height, data }: Mask): Mask {
  // 0 is outside or not yet reached; parts count from 1.
  const part = new Int32Array(data.length);
  // A pixel is put on the stack once, so that one array holds all that ever stand there.
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
  for (const [at, number] of part.entries()) {
    if (number > 0 && (sizes[number] ?? 0) >= least) kept[at] = 1;
  }
  return { width, height, data: kept };
}
