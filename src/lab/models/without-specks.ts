import type { Mask } from "../../core/models.js";

/** A part of a mask smaller than this share of its largest part is a speck. */
const leastShare = 0.05;

/**
 * A mask without its specks: a few stray pixels far off would make the box around it, and with it
 * what is cropped, much larger than what is meant. Parts hang together by the sides of pixels.
 */
export function withoutSpecks({ width, height, data }: Mask): Mask {
  const part = new Int32Array(data.length);
  const sizes = [0];
  for (let start = 0; start < data.length; start++) {
    if (data[start] !== 1 || part[start] !== 0) continue;
    const number = sizes.length;
    const open = [start];
    part[start] = number;
    let size = 0;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      size++;
      const column = at % width;
      const beside = [
        ...(column > 0 ? [at - 1] : []),
        ...(column < width - 1 ? [at + 1] : []),
        at - width,
        at + width,
      ];
      for (const next of beside) {
        if (data[next] !== 1 || part[next] !== 0) continue;
        part[next] = number;
        open.push(next);
      }
    }
    sizes.push(size);
  }
  const least = leastShare * Math.max(...sizes);
  const kept = Uint8Array.from(part, (number) =>
    Number(number > 0 && (sizes[number] ?? 0) >= least),
  );
  return { width, height, data: kept };
}
