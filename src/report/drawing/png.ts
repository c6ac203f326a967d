import { readFile } from "node:fs/promises";
import type { TopLevelSpec } from "vega-lite";
import { loadResvg } from "../../images/resvg.js";
import { palette } from "../../views/figures/palette.js";
import { svgOf } from "./svg.js";

const family = "Inter";
const fonts = ["Inter-Regular.ttf", "Inter-SemiBold.ttf"].map(
  (name) => new URL(`../../../data/fonts/${name}`, import.meta.url),
);

/** Most pixels of a picture: more would not fit in memory, nor be opened by most programs. */
const mostPixelsOpened = 60e6;

/**
 * Draws a Vega-Lite spec as a PNG on white, two pixels for each of the spec's, fewer where that would
 * be very many. It is lettered in a
 * font that comes along, so it is the same on every machine, one without any font included; letters
 * outside Latin, Greek and Cyrillic are not in it (`lacksLetters`).
 */
export async function pngOf(
  spec: TopLevelSpec,
  { mostPixels = mostPixelsOpened }: { readonly mostPixels?: number } = {},
): Promise<Uint8Array> {
  const Resvg = await loadResvg();
  const svg = await svgOf(spec);
  const fontBuffers = await Promise.all(fonts.map((font) => readFile(font)));
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  const zoom = Math.min(2, Math.sqrt(mostPixels / (Number(width) * Number(height))));
  const renderer = new Resvg(svg, {
    fitTo: { mode: "zoom", value: zoom },
    background: palette.paper,
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
  });
  const image = renderer.render();
  const png = image.asPng();
  image.free();
  renderer.free();
  return png;
}

const foreign =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** Whether a plot has letters that only a viewer's own fonts can draw: those need an SVG. */
export function lacksLetters(spec: TopLevelSpec): boolean {
  return foreign.test(JSON.stringify(spec));
}
