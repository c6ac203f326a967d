import { z } from "zod";
import type { Box, Mask } from "../core/models.js";
import { boxMask, boxOfMask, unionOf, wholePixels } from "./box.js";

const side = z.int().min(1).max(65_535);
const rle = z.object({
  size: z.tuple([side, side]),
  counts: z.union([z.array(z.int().min(0)), z.string()]),
});
/** An annotation with polygons means these, not its box. */
const box = z.object({
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  segmentation: z.undefined().optional(),
});
const one = z.union([rle, z.object({ segmentation: rle }), box]);

/** A mask as COCO's annotations write it, or several that make one. */
export const cocoMaskSchema = z.union([one, z.array(one)]);

export type CocoMask = z.output<typeof cocoMaskSchema>;
type CocoPiece = z.output<typeof one>;

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The mask that COCO's JSON stands for: run lengths column by column (`{ size: [height, width], counts }`,
 * a list or COCO's compressed text), a box (`{ bbox: [x, y, width, height] }`), an annotation that holds
 * run lengths as `segmentation`, or a list of these, whose union it is; nothing inside of an empty list.
 *
 * @returns the mask, or what is wrong with it, to go on after "Expected"
 */
export function maskOfCoco(coco: CocoMask, size: Size): Mask | string {
  let whole = unionOf([], size);
  for (const each of listOf(coco)) {
    const mask = pieceOf(each, size);
    if (typeof mask === "string") return mask;
    whole = unionOf([whole, mask], size);
  }
  return whole;
}

/**
 * The boxes in COCO's JSON, each of whole pixels: those that it says, and one around each of its masks;
 * none of what is outside of the image.
 *
 * @returns the boxes, or what is wrong with a mask, to go on after "Expected"
 */
export function boxesOfCoco(coco: CocoMask, size: Size): Box[] | string {
  const boxes = [];
  for (const each of listOf(coco)) {
    const mask = pieceOf(each, size);
    if (typeof mask === "string") return mask;
    const box = boxOfMask(mask);
    if (box !== undefined) boxes.push(box);
  }
  return boxes;
}

const listOf = (coco: CocoMask): readonly CocoPiece[] => (Array.isArray(coco) ? coco : [coco]);

function pieceOf(piece: CocoPiece, { width, height }: Size): Mask | string {
  const mask =
    "segmentation" in piece && piece.segmentation !== undefined ? piece.segmentation : piece;
  const data = new Uint8Array(width * height);
  if ("bbox" in mask) {
    const [x, y, boxWidth, boxHeight] = mask.bbox;
    const box = wholePixels(
      { x0: x, y0: y, x1: x + boxWidth, y1: y + boxHeight },
      { width, height },
    );
    return box === undefined ? { width, height, data } : boxMask(box, { width, height });
  }
  const [rows, columns] = mask.size;
  if (rows !== height || columns !== width) {
    return `run lengths of ${width} x ${height} pixels, as the image has, but received ${columns} x ${rows}`;
  }
  const counts = typeof mask.counts === "string" ? countsOf(mask.counts) : mask.counts;
  const sum = counts?.reduce((total, count) => total + count, 0);
  if (counts === undefined) return "compressed counts of COCO but received another text";
  if (sum !== width * height || counts.some((count) => count < 0)) {
    return `counts that sum to ${width * height} but received a sum of ${sum}`;
  }
  fillRuns(data, counts, { width, height });
  return { width, height, data };
}

/** Runs go down the columns, first those outside. */
function fillRuns(data: Uint8Array, counts: readonly number[], { width, height }: Size): void {
  let at = 0;
  for (const [run, count] of counts.entries()) {
    if (run % 2 === 1) {
      for (let pixel = at; pixel < at + count; pixel++) {
        data[(pixel % height) * width + Math.floor(pixel / height)] = 1;
      }
    }
    at += count;
  }
}

/**
 * The counts in COCO's compressed text: numbers of five bits a character, least first, of which the
 * sixth says that more follow; from the fourth on each is the difference to the one before last.
 */
function countsOf(text: string): number[] | undefined {
  const counts: number[] = [];
  let at = 0;
  while (at < text.length) {
    let value = 0;
    let shift = 0;
    for (let isMore = true; isMore; shift += 5) {
      const code = text.charCodeAt(at++) - 48;
      if (!(code >= 0 && code < 64) || shift > 30) return undefined;
      value += (code & 31) * 2 ** shift;
      isMore = (code & 32) !== 0;
      if (!isMore && (code & 16) !== 0) value -= 2 ** (shift + 5);
    }
    counts.push(counts.length > 2 ? value + (counts.at(-2) ?? 0) : value);
  }
  return counts;
}

/**
 * A mask as COCO's run lengths, uncompressed.
 *
 * @example cocoOfMask({ width: 2, height: 2, data: Uint8Array.of(0, 1, 0, 1) }) // { size: [2, 2], counts: [2, 2] }
 */
export function cocoOfMask({ width, height, data }: Mask): {
  size: [number, number];
  counts: number[];
} {
  const counts: number[] = [];
  let inside = 0;
  let length = 0;
  for (let pixel = 0; pixel < data.length; pixel++) {
    const own = data[(pixel % height) * width + Math.floor(pixel / height)] ?? 0;
    if (own !== inside) {
      counts.push(length);
      inside = own;
      length = 0;
    }
    length++;
  }
  counts.push(length);
  return { size: [height, width], counts };
}
