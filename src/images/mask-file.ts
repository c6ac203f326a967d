import { largestOf } from "../core/arrays.js";
import { InputError } from "../core/errors.js";
import type { Mask, Picture } from "../core/models.js";
import { type ExactPixels, exactPixels } from "./picture.js";

/** A mask, and what a user should know of how it was read. */
export interface ReadMask {
  readonly mask: Mask;
  /** Where it was read otherwise than as light on dark. */
  readonly note?: string;
  /** Where nothing is inside. */
  readonly hint?: string;
}

/**
 * Reads a mask from an image: inside is what is lighter than middle grey. Of two colours that this
 * does not tell apart, as in masks of 0 and 1 or palettes of one object, inside is the one that is
 * not black. Where some pixels are transparent and all others have one colour, inside is what is
 * opaque.
 *
 * @param name what to call it in messages
 * @throws NoAnswer "bad-input" where it can't be decoded; InputError where transparency and colours
 *   both vary, or where two colours are on one side of middle grey and neither is black.
 */
export async function readMask(picture: Picture, name: string): Promise<ReadMask> {
  const pixels = await exactPixels(picture.bytes, name);
  const { width, height, data, most } = pixels;
  const isByAlpha = hasAlphaThatVaries(pixels);
  if (isByAlpha && !hasOneVisibleColour(pixels)) {
    throw new InputError(
      `Expected a mask but received ${name}, whose colours and transparency both vary`,
      {
        hint:
          "Either may be the mask. Save the one that is, white inside and black outside, without " +
          "transparency.",
      },
    );
  }
  const level = isByAlpha
    ? (at: number) => data[at * 4 + 3] ?? 0
    : (at: number) => ((data[at * 4] ?? 0) + (data[at * 4 + 1] ?? 0) + (data[at * 4 + 2] ?? 0)) / 3;
  const colour = isByAlpha ? level : (at: number) => packed(pixels, at);
  const inside = new Uint8Array(width * height);
  const levels = new Map<number, number>();
  let isSplit = false;
  for (let at = 0; at < inside.length; at++) {
    const own = level(at);
    inside[at] = own > most / 2 ? 1 : 0;
    isSplit ||= inside[at] !== inside[0];
    if (levels.size < mostLevels) levels.set(colour(at), own);
  }
  const note = isByAlpha
    ? `${name} was read by its transparency, as what can be seen of it has one colour: inside is ` +
      "what is opaque"
    : undefined;
  const found = { mask: { width, height, data: inside }, ...(note === undefined ? {} : { note }) };
  if (isSplit) return found;
  if (levels.size === 2) return ofTwo({ ...found, note }, { levels, colour, pixels, name });
  return inside[0] === 1 ? found : { ...found, hint: hintOf(levels, most) };
}

/** So many colours are told apart. */
const mostLevels = 257;

/** One number for each colour. */
const packed = ({ data, most }: ExactPixels, at: number) =>
  ((data[at * 4] ?? 0) * (most + 1) + (data[at * 4 + 1] ?? 0)) * (most + 1) +
  (data[at * 4 + 2] ?? 0);

/** Alpha that is the same all over tells nothing. */
function hasAlphaThatVaries({ data }: ExactPixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== data[3]) return true;
  return false;
}

/** Whether what is more opaque than not has one colour, but for what rounding does to it. */
function hasOneVisibleColour({ data, most }: ExactPixels): boolean {
  const least: number[] = [most, most, most];
  const largest: number[] = [0, 0, 0];
  let opaque = 0;
  for (let at = 3; at < data.length; at += 4) opaque = Math.max(opaque, data[at] ?? 0);
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) * 2 < opaque) continue;
    for (let channel = 0; channel < 3; channel++) {
      const own = data[at + channel] ?? 0;
      least[channel] = Math.min(least[channel] ?? 0, own);
      largest[channel] = Math.max(largest[channel] ?? 0, own);
    }
  }
  return largest.every((own, channel) => own - (least[channel] ?? 0) <= (2 / 255) * most);
}

/** Two colours that middle grey does not tell apart. */
function ofTwo(
  { mask, note }: { readonly mask: Mask; readonly note: string | undefined },
  {
    levels,
    colour,
    pixels,
    name,
  }: {
    readonly levels: ReadonlyMap<number, number>;
    readonly colour: (at: number) => number;
    readonly pixels: ExactPixels;
    readonly name: string;
  },
): ReadMask {
  const [one = 0, other = 0] = [...levels.keys()].sort((a, b) => a - b);
  const { most } = pixels;
  const isGrey = note !== undefined || [one, other].every((each) => isGreyLevel(each, most));
  const word = (each: number) =>
    isGrey ? String(levels.get(each) ?? 0) : `rgb(${channels(each, most).join(", ")})`;
  if (one !== 0) {
    throw new InputError(
      `Expected a mask, light inside and dark outside, but received ${name}, which has two ` +
        `colours on one side of middle grey, ${word(one)} and ${word(other)}`,
      { hint: "Make what is inside white and the rest black." },
    );
  }
  for (let at = 0; at < mask.data.length; at++) mask.data[at] = colour(at) === one ? 0 : 1;
  const own = isGrey
    ? `${name} holds 0 and ${word(other)} of ${most} alone, so inside is what is ${word(other)}`
    : `${name} holds black and ${word(other)} alone, so inside is what is not black`;
  return { mask, note: note === undefined ? own : `${note}; ${own}` };
}

const channels = (colour: number, most: number) => {
  const count = most + 1;
  return [Math.floor(colour / count ** 2), Math.floor(colour / count) % count, colour % count];
};

const isGreyLevel = (colour: number, most: number) => new Set(channels(colour, most)).size === 1;

function hintOf(levels: ReadonlyMap<number, number>, most: number): string {
  if (levels.size === 1) return "It has one colour all over.";
  const lightest = largestOf(levels.values());
  const many = levels.size < mostLevels ? String(levels.size) : "many";
  return (
    `Inside is what is lighter than middle grey, and the lightest of its ${many} colours has ` +
    `${Number(lightest.toPrecision(3))} of ${most}. Of a map of labels, make one label white and ` +
    "the rest black."
  );
}
