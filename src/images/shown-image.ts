import type { Sharp } from "sharp";
import { type GifPlaces, gifPlaces } from "./gif-file.js";
import { loadSharp } from "./load-sharp.js";

/** More pixels than this are never decoded: 8,192 x 8,192, which takes 200 MB as RGB. */
export const mostPixels = 8192 * 8192;

/**
 * Opens an encoded image so that it shows what a browser shows: turned upright by its orientation tag,
 * of WebP not (browsers turn it by none, AVIF by its container's); what the first frame of a GIF leaves
 * of its canvas is transparent; CMYK without a profile becomes R = (255 - C)(255 - K) / 255, G and B
 * likewise.
 *
 * @param options.failOn from which fault on no pixels come back
 * @param options.ignoreIcc whether samples stay as the file has them, whatever its profile
 */
export async function openShown(
  bytes: Uint8Array,
  {
    failOn = "truncated",
    ignoreIcc = false,
  }: {
    readonly failOn?: "truncated" | "error" | "warning";
    readonly ignoreIcc?: boolean;
  } = {},
): Promise<Sharp> {
  const sharp = await loadSharp();
  const image = sharp(bytes, { limitInputPixels: mostPixels, failOn, ignoreIcc });
  const { format, space, depth, ...header } = await image.metadata();
  const hasProfile = header.hasProfile && !ignoreIcc;
  const turned = format === "webp" ? image : image.autoOrient();
  // Of 16 bits sharp converts RGB by its profile to Display P3, and grey not at all.
  const coarse = space === "rgb16" ? "srgb" : space === "grey16" ? "b-w" : undefined;
  const upright = hasProfile && coarse ? turned.pipelineColourspace(coarse) : turned;
  if (space === "cmyk" && !hasProfile) return withoutInks(upright, depth === "ushort");
  const places = gifPlaces(bytes);
  return places === undefined || isFull(places) ? upright : onCanvas(upright, places);
}

const isFull = ({ canvas, frame }: GifPlaces) =>
  frame.width === canvas.width && frame.height === canvas.height;

async function onCanvas(image: Sharp, { canvas, frame }: GifPlaces): Promise<Sharp> {
  const { left, top } = frame;
  const { data, info } = await image
    .extract(frame)
    .extend({
      left,
      top,
      right: canvas.width - left - frame.width,
      bottom: canvas.height - top - frame.height,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return (await loadSharp())(data, { raw: { ...canvas, channels: info.channels } });
}

async function withoutInks(image: Sharp, isFine: boolean): Promise<Sharp> {
  const { data, info } = await image
    .pipelineColourspace("cmyk")
    .toColourspace("cmyk")
    .raw({ depth: isFine ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true });
  const inks = isFine ? new Uint16Array(Uint8Array.from(data).buffer) : data;
  const { width, height } = info;
  const rgb = rgbOfInks(inks, isFine ? 65535 : 255);
  return (await loadSharp())(rgb, { raw: { width, height, channels: 3 } });
}

/** Red, green and blue (0 to 255) of cyan, magenta, yellow and black (0 to `most`). */
function rgbOfInks(inks: Uint8Array | Uint16Array, most: number): Uint8Array {
  const rgb = new Uint8Array((inks.length / 4) * 3);
  for (let at = 0, target = 0; at < inks.length; at += 4) {
    const light = ((most - (inks[at + 3] ?? 0)) * 255) / most ** 2;
    for (let ink = 0; ink < 3; ink++) {
      rgb[target++] = Math.round((most - (inks[at + ink] ?? 0)) * light);
    }
  }
  return rgb;
}
