import type { Pixels } from "touchstone-t2i/internal/core/models.js";
import type { Random } from "touchstone-t2i/internal/core/random.js";
import { z } from "zod";
import { labYaml } from "../package-file.js";
import { labPictureSize } from "../signature.js";
import { rasterise, type Sprite } from "./sprites.js";

const width = 240;

const bodies = z.record(z.string(), z.string()).parse(labYaml("places.yaml"));

/** How a style tints its places: each channel is factor * value + offset. */
const tints: Readonly<Record<string, { readonly factor: number; readonly offset: number }>> = {
  noto: { factor: 1, offset: 0 },
  fluent: { factor: 0.82, offset: 44 },
  twemoji: { factor: 1.12, offset: -24 },
};

const rasters = new Map<string, Promise<Sprite>>();

function rasterOf(place: string): Promise<Sprite> {
  const known = rasters.get(place);
  if (known !== undefined) return known;
  const body = bodies[place];
  if (body === undefined) throw new RangeError(`No background for the place "${place}"`);
  const size = `viewBox="0 0 ${width} ${labPictureSize}"`;
  const made = rasterise(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${body}</svg>`, width);
  rasters.set(place, made);
  return made;
}

/** Whether there is a background for `place`. */
export const hasBackground = (place: string): boolean => place in bodies;

/** A stretch of a place in a style's tint, mirrored half of the time. */
export async function backgroundOf(place: string, style: string, random: Random): Promise<Pixels> {
  const raster = await rasterOf(place);
  const offset = random.integer(width - labPictureSize + 1);
  const mirrored = random.chance(0.5);
  const shade = random.between(-10, 10);
  const tint = tints[style] ?? { factor: 1, offset: 0 };
  const tinted = Uint8ClampedArray.from(
    { length: 256 },
    (_, value) => tint.factor * value + tint.offset + shade,
  );
  const data = new Uint8Array(labPictureSize * labPictureSize * 3);
  let into = 0;
  for (let y = 0; y < labPictureSize; y++) {
    for (let x = 0; x < labPictureSize; x++) {
      const from = (y * width + offset + (mirrored ? labPictureSize - 1 - x : x)) * 4;
      data[into++] = tinted[raster.data[from] ?? 0] ?? 0;
      data[into++] = tinted[raster.data[from + 1] ?? 0] ?? 0;
      data[into++] = tinted[raster.data[from + 2] ?? 0] ?? 0;
    }
  }
  return { width: labPictureSize, height: labPictureSize, data };
}
