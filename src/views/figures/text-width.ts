import { middleLeftOut, shortApart } from "../short-names.js";

/**
 * Advance widths of the characters from space to tilde in Inter, semi-bold, in hundredths of the
 * type size: the wider of the two weights that plots use.
 */
const widths = [
  25, 32, 52, 64, 65, 100, 66, 33, 37, 37, 54, 67, 32, 47, 32, 38, 66, 42, 62, 64, 67, 61, 64, 58,
  64, 64, 32, 33, 67, 67, 67, 54, 100, 73, 66, 74, 72, 61, 59, 75, 75, 28, 58, 70, 57, 92, 76, 77,
  65, 77, 65, 65, 66, 74, 73, 102, 72, 71, 65, 37, 38, 37, 48, 47, 35, 57, 62, 58, 62, 59, 39, 63,
  61, 26, 26, 57, 26, 90, 61, 61, 62, 62, 40, 55, 35, 61, 59, 84, 57, 59, 57, 45, 36, 45, 67,
];
/** The widest of the fonts that a system may put in its place (DejaVu Sans) is so much wider. */
const widestFont = 1.1;
const otherLetter = 70;
/** From the Hangul letters on, most are as wide as they are high. */
const firstWide = 0x1100;
const wideLetter = 100;

/** How wide a text surely is, in pixels, whatever sans-serif font draws it. */
export function textWidth(text: string, fontSize: number): number {
  let sum = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isPunctuation = code >= 0x2000 && code < 0x2e80;
    sum += widths[code - 0x20] ?? (code >= firstWide && !isPunctuation ? wideLetter : otherLetter);
  }
  return (sum * fontSize * widestFont) / 100;
}

/** The text, or its beginning and end where it is wider: names differ at both. */
export const fitted = (text: string, width: number, fontSize: number): string =>
  middleLeftOut(text, (short) => textWidth(short, fontSize) <= width);

/**
 * Names so shortened that different ones stay different: where beginning and end are not enough,
 * the end that all have in common is left out, and as much of their beginning as must be.
 */
export const fittedApart = (names: readonly string[], width: number, fontSize: number): string[] =>
  shortApart(names, (short) => textWidth(short, fontSize) <= width);

/**
 * The text in at most `most` lines, broken at a space or after a mark such as "/" or "-" where there
 * is one in the second half of a line; the last line is shortened where it must be.
 */
export function wrapped(text: string, width: number, fontSize: number, most: number): string[] {
  const lines: string[] = [];
  let rest = [...text.trim()];
  while (lines.length < most - 1 && textWidth(rest.join(""), fontSize) > width) {
    let end = rest.length;
    while (end > 1 && textWidth(rest.slice(0, end).join(""), fontSize) > width) end--;
    const good = rest.slice(0, end).findLastIndex((letter) => /[\s/_:.,;-]/.test(letter)) + 1;
    const cut = good > end / 2 ? good : end;
    lines.push(rest.slice(0, cut).join("").trim());
    rest = [...rest.slice(cut).join("").trim()];
  }
  return [...lines, fitted(rest.join(""), width, fontSize)];
}
