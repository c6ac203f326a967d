import type { Pixels } from "touchstone-t2i/internal/core/models.js";
import type { Sprite } from "./sprites.js";

/** Where an object stands, in pixels of the picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A picture under construction: colours, and for every pixel the last object that covers at least
 * half of it, so that visible masks and occlusion fall out of the drawing itself.
 */
export class Canvas implements Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
  /** Per pixel: 0 for the background, else the object's number, counted from 1. */
  readonly owners: Uint8Array;
  /** Per object, counted from 1: the pixels it covers before others are drawn over it. */
  readonly covered: number[] = [0];

  constructor(background: Pixels) {
    this.width = background.width;
    this.height = background.height;
    this.data = Uint8Array.from(background.data);
    this.owners = new Uint8Array(this.width * this.height);
  }

  /** Draws a sprite into `box`, over what is there; bilinear within the fitting mip level. */
  draw(levels: readonly Sprite[], box: Box): void {
    const sprite = fittingLevel(levels, box.width);
    const [scaleX, scaleY] = [sprite.width / box.width, sprite.height / box.height];
    const owner = this.covered.length;
    const bottom = Math.ceil(box.y + box.height);
    const right = Math.ceil(box.x + box.width);
    const sample = new Float64Array(4);
    let covered = 0;
    for (let y = Math.floor(box.y); y < bottom; y++) {
      for (let x = Math.floor(box.x); x < right; x++) {
        bilinear(
          sprite,
          (x + 0.5 - box.x) * scaleX - 0.5,
          (y + 0.5 - box.y) * scaleY - 0.5,
          sample,
        );
        const alpha = sample[3] ?? 0;
        if (alpha >= 128) covered++;
        if (alpha === 0 || x < 0 || y < 0 || x >= this.width || y >= this.height) continue;
        const pixel = y * this.width + x;
        const through = (255 - alpha) / 255;
        for (let channel = 0; channel < 3; channel++) {
          const at = pixel * 3 + channel;
          this.data[at] = (sample[channel] ?? 0) + (this.data[at] ?? 0) * through + 0.5;
        }
        if (alpha >= 128) this.owners[pixel] = owner;
      }
    }
    this.covered.push(covered);
  }

  /**
   * From here on the objects from number `first` on cover only what can be seen of them now: of a
   * shirt, what its wearer's own coat leaves.
   */
  settle(first: number): void {
    this.covered.fill(0, first);
    for (const owner of this.owners) {
      if (owner >= first) this.covered[owner] = (this.covered[owner] ?? 0) + 1;
    }
  }

  /** Per object, in the order of drawing: the share of it that can be seen, in [0, 1]. */
  visibleShares(): number[] {
    const seen = new Array<number>(this.covered.length).fill(0);
    for (const owner of this.owners) seen[owner] = (seen[owner] ?? 0) + 1;
    return this.covered
      .slice(1)
      .map((all, index) => (all === 0 ? 0 : (seen[index + 1] ?? 0) / all));
  }
}

function fittingLevel(levels: readonly Sprite[], width: number): Sprite {
  const [first] = levels;
  if (first === undefined) throw new RangeError("Expected a sprite of at least one level");
  return levels.findLast((level) => level.width >= width) ?? first;
}

/** Sprites end in a transparent border, so that clamping to the edge reads transparency. */
function bilinear({ width, height, data }: Sprite, x: number, y: number, into: Float64Array): void {
  const clampedX = Math.min(Math.max(x, 0), width - 1.001);
  const clampedY = Math.min(Math.max(y, 0), height - 1.001);
  const [x0, y0] = [Math.floor(clampedX), Math.floor(clampedY)];
  const [fractionX, fractionY] = [clampedX - x0, clampedY - y0];
  const topLeft = (y0 * width + x0) * 4;
  const bottomLeft = topLeft + width * 4;
  for (let channel = 0; channel < 4; channel++) {
    const [top, bottom] = [topLeft + channel, bottomLeft + channel];
    const above = (data[top] ?? 0) * (1 - fractionX) + (data[top + 4] ?? 0) * fractionX;
    const below = (data[bottom] ?? 0) * (1 - fractionX) + (data[bottom + 4] ?? 0) * fractionX;
    into[channel] = above * (1 - fractionY) + below * fractionY;
  }
}
