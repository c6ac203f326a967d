import { readFile } from "node:fs/promises";
import { encode } from "fast-png";
import type { Picture } from "../../core/models.js";
import { openPicture } from "../../images/picture.js";
import { loadResvg } from "../../images/resvg.js";

const font = new URL("../../../data/fonts/Inter-SemiBold.ttf", import.meta.url);
const fewestLetters = 24;
const letterWidth = 0.6;

/**
 * A copy of an image with a text written over its lower edge, black on white, in the font that comes
 * along, so that it is the same everywhere. All other pixels stay what they were; the copy is a PNG
 * without loss.
 *
 * @example await writtenOn(await openPicture(bytes), "answer 0")
 */
export async function writtenOn(picture: Picture, text: string): Promise<Picture> {
  const Resvg = await loadResvg();
  const { width, height, data } = await picture.pixels();
  const size = Math.max(6, Math.floor(width / fewestLetters / letterWidth));
  const lines = linesOf(text, Math.max(1, Math.floor(width / (size * letterWidth))));
  const line = Math.ceil(size * 1.2);
  const top = Math.max(0, height - line * lines.length - Math.ceil(size / 3));
  const texts = lines.map(
    (words, at) =>
      `<text x="${size / 3}" y="${top + line * (at + 1)}" font-family="Inter" font-size="${size}">${escaped(words)}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect y="${top}" width="${width}" height="${height - top}" fill="#fff"/>${texts.join("")}</svg>`;
  const renderer = new Resvg(svg, {
    font: { fontBuffers: [new Uint8Array(await readFile(font))], defaultFontFamily: "Inter" },
  });
  const rendered = renderer.render();
  const { pixels } = rendered;
  const written = Uint8Array.from(data);
  // The band is opaque: its pixels replace those below, and the rest stays.
  for (let pixel = top * width; pixel < width * height; pixel++) {
    written.set(pixels.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  }
  rendered.free();
  renderer.free();
  return openPicture(encode({ width, height, data: written, channels: 3, depth: 8 }));
}

/** Words in lines of at most so many letters; a longer word is broken. */
function linesOf(text: string, letters: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).flatMap((one) => one.match(pieces(letters)) ?? [])) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= letters) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

const pieces = (letters: number) => new RegExp(`.{1,${letters}}`, "gsu");

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
