import { readFileSync } from "node:fs";
import { loadResvg } from "touchstone-t2i/internal/images/resvg.js";
import { z } from "zod";
import { packageFile } from "../package-file.js";

const drawingSchema = z.object({
  svg: z.string().optional(),
  colours: z.record(z.string(), z.string()).optional(),
});
const palettes = z.record(z.string(), z.record(z.string(), z.string()));
const artSchema = z.object({
  styles: z.record(z.string(), z.record(z.string(), drawingSchema)),
  people: z.record(
    z.string(),
    z.object({
      /** Drawings with places for colours, by name. */
      parts: z.record(z.string(), z.string()),
      cloth: palettes,
      skin: palettes,
      hair: palettes,
      /** Whether cloth is shaded from top to bottom. */
      shaded: z.boolean(),
    }),
  ),
});

const artFile = packageFile("dist/art.json");

let read: z.output<typeof artSchema> | undefined;

/** Everything that is drawn, by style. */
export function art(): z.output<typeof artSchema> {
  read ??= artSchema.parse(JSON.parse(readFileSync(artFile, "utf8")));
  return read;
}
const styles = () => art().styles;

/** The styles that the lab paints in. */
export const styleNames = (): string[] => Object.keys(styles());

/** Whether the art holds a drawing of `kind`, in `colour` where one is given. */
export function hasDrawing(kind: string, colour?: string): boolean {
  return Object.values(styles()).every((style) => drawingOf(style, kind, colour) !== undefined);
}

function drawingOf(
  style: Readonly<Record<string, z.output<typeof drawingSchema>>>,
  kind: string,
  colour: string | undefined,
): string | undefined {
  const drawing = style[kind];
  return colour === undefined ? drawing?.svg : drawing?.colours?.[colour];
}

/** Premultiplied RGBA, trimmed to what is drawn and a transparent border of one pixel. */
export interface Sprite {
  readonly width: number;
  readonly height: number;
  /** width x height x 4 bytes. */
  readonly data: Uint8Array;
}

const rasterSize = 160;

/** resvg compiled to WebAssembly draws the same pixels on every processor. */
export async function rasterise(svg: string, width: number): Promise<Sprite> {
  const Resvg = await loadResvg();
  const renderer = new Resvg(svg, { fitTo: { mode: "width", value: width } });
  const image = renderer.render();
  const sprite = { width: image.width, height: image.height, data: new Uint8Array(image.pixels) };
  image.free();
  renderer.free();
  return sprite;
}

const sprites = new Map<string, Promise<readonly Sprite[]>>();

/**
 * A kind's drawing at falling sizes, each half the one before (a mip-map), so that it can be
 * drawn small without aliasing.
 *
 * @throws RangeError where the style has no such drawing; ask `hasDrawing` first.
 */
export function spriteOf(
  style: string,
  kind: string,
  colour: string | undefined,
): Promise<readonly Sprite[]> {
  const name = `${style}/${kind}/${colour ?? ""}`;
  const known = sprites.get(name);
  if (known !== undefined) return known;
  const svg = drawingOf(styles()[style] ?? {}, kind, colour);
  if (svg === undefined)
    throw new RangeError(`No drawing of "${colour ?? ""} ${kind}" in ${style}`);
  const made = rasterise(svg, rasterSize).then((raster) => halvings(trimmed(raster).sprite));
  sprites.set(name, made);
  return made;
}

/** Without its empty margins, of which it keeps one pixel, and where that lay in the raster. */
export function trimmed(sprite: Sprite): { sprite: Sprite; left: number; top: number } {
  let [left, top, right, bottom] = [sprite.width, sprite.height, 0, 0];
  for (let y = 0; y < sprite.height; y++) {
    for (let x = 0; x < sprite.width; x++) {
      if ((sprite.data[(y * sprite.width + x) * 4 + 3] ?? 0) < 8) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  const [width, height] = [Math.max(1, right - left) + 2, Math.max(1, bottom - top) + 2];
  const data = new Uint8Array(width * height * 4);
  for (let y = 1; y < height - 1; y++) {
    const start = ((top + y - 1) * sprite.width + left) * 4;
    data.set(sprite.data.subarray(start, start + (width - 2) * 4), (y * width + 1) * 4);
  }
  return { sprite: { width, height, data }, left: left - 1, top: top - 1 };
}

/** A sprite at falling sizes, each half the one before. */
export function halvings(sprite: Sprite): Sprite[] {
  const levels = [sprite];
  let last = sprite;
  while (Math.min(last.width, last.height) > 16) {
    last = halve(last);
    levels.push(last);
  }
  return levels;
}

/** Averages 2 x 2; an odd last row or column is the border, and dropping it loses nothing. */
function halve({ width, height, data }: Sprite): Sprite {
  const [halfWidth, halfHeight] = [width >> 1, height >> 1];
  const half = new Uint8Array(halfWidth * halfHeight * 4);
  for (let y = 0; y < halfHeight; y++) {
    for (let x = 0; x < halfWidth; x++) {
      for (let channel = 0; channel < 4; channel++) {
        const at = (2 * y * width + 2 * x) * 4 + channel;
        const sum =
          (data[at] ?? 0) +
          (data[at + 4] ?? 0) +
          (data[at + width * 4] ?? 0) +
          (data[at + width * 4 + 4] ?? 0);
        half[(y * halfWidth + x) * 4 + channel] = (sum + 2) >> 2;
      }
    }
  }
  return { width: halfWidth, height: halfHeight, data: half };
}
