import { readFile } from "node:fs/promises";
import { decode } from "fast-png";
import { expect, test } from "vitest";
import { emptyFigure } from "../../views/figures/figure.js";
import { darkPalette, palette } from "../../views/figures/palette.js";
import { lacksLetters, pngOf } from "./png.js";
import { svgFileOf, svgOf } from "./svg.js";

const titled = (title: string) => emptyFigure(title, "there is nothing").spec;

/** How many pixels of a picture, from row `top` to `bottom`, are not white. */
async function inked(title: string, [top, bottom]: readonly [number, number]) {
  const { data, width, channels } = decode(await pngOf(titled(title)));
  let count = 0;
  for (let at = top * width; at < bottom * width; at++) {
    const isWhite = [0, 1, 2].every((channel) => data[at * channels + channel] === 255);
    if (!isWhite) count++;
  }
  return count;
}

test("a PNG has two pixels for each of the plot's, on white, without a hole", async () => {
  const { width, height, data, channels } = decode(await pngOf(titled("A title")));
  expect({ width, height }).toEqual({ width: 2 * 720, height: 2 * 80 });
  expect([...data.subarray(0, channels)]).toEqual([255, 255, 255, 255]);
  if (channels === 4) expect(data.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
});

test("it is lettered where no font is installed: with letters, Greek, and signs", async () => {
  const titleRows = [2 * 14, 2 * 34] as const;
  expect(await inked("", titleRows)).toBe(0);
  const plain = await inked("Failure", titleRows);
  expect(plain).toBeGreaterThan(200);
  expect(await inked("Failure κρτ", titleRows)).toBeGreaterThan(plain + 50);
  // A letter that the font lacks is an empty box: not so many boxes as here are in one line.
  expect(await inked("−≥≤–…→ Ж é", titleRows)).toBeGreaterThan(100);
});

test("a plot that is very large becomes as large a picture as can be opened", async () => {
  const { width, height } = decode(await pngOf(titled("A title"), { mostPixels: 1e4 }));
  expect(width * height).toBeGreaterThan(0.97e4);
  expect(width * height).toBeLessThan(1.03e4);
  expect(width / height).toBeCloseTo(720 / 80, 0);
});

test("the same plot gives the same bytes", async () => {
  expect(await pngOf(titled("A title"))).toEqual(await pngOf(titled("A title")));
});

test.each([
  ["clip-score κ ≥ 0.5 · Ж – 😀", false],
  ["שלום", true],
  ["评分", true],
])("%s: whether letters are missing is %s", (title, isMissing) => {
  expect(lacksLetters(titled(title))).toBe(isMissing);
});

test("an SVG that stands alone has a size, a ground, and colours for the dark", async () => {
  const svg = await svgFileOf(titled("<script>alert(1)</script>"));
  expect(svg).toMatch(/^<svg [^>]*width="720" height="80" viewBox="0 0 720 80" role="img"/);
  expect(svg).toContain(`<rect width="720" height="80" fill="${palette.paper}"/>`);
  for (const name of Object.keys(palette)) expect(svg).toContain(darkPalette[name] ?? "?");
  expect(svg).not.toContain("<script");
  expect(svg.trimEnd().endsWith("</svg>")).toBe(true);
  expect(await svgOf(titled("t"))).not.toContain("<style>");
});

test("the fonts come with their licence", async () => {
  const licence = await readFile(new URL("../../../data/fonts/LICENSE-Inter.txt", import.meta.url));
  expect(licence.toString()).toContain("SIL OPEN FONT LICENSE");
});
