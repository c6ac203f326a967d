import type { WordKind, Words } from "./decomposer-words.js";

/** A word, or a phrase that means one thing, with its place in the text. */
export interface Token {
  readonly kind: WordKind | "comma" | "stop" | "unknown";
  /** In lower case, with one blank between words. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

interface Piece {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The words of a text, phrases taken together, the longest first.
 *
 * @returns undefined where the text has characters that no word has.
 */
export function tokensOf(text: string, { kinds, longest }: Words): Token[] | undefined {
  const pieces = piecesOf(text);
  if (pieces === undefined) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < pieces.length; ) {
    let taken = 0;
    for (let count = Math.min(longest, pieces.length - at); count > 0 && taken === 0; count--) {
      const phrase = pieces.slice(at, at + count);
      const word = phrase.map((piece) => piece.word).join(" ");
      const kind = kinds.get(word) ?? (count === 1 ? kindOf(word) : undefined);
      const [first, last] = [phrase[0], phrase.at(-1)];
      if (kind === undefined || first === undefined || last === undefined) continue;
      tokens.push({ kind, word, start: first.start, end: last.end });
      taken = count;
    }
    at += taken;
  }
  return tokens;
}

function kindOf(word: string): Token["kind"] {
  if (word === ",") return "comma";
  if (/^[.;:!]$/.test(word)) return "stop";
  return /^\d+$/.test(word) ? "number" : "unknown";
}

function piecesOf(text: string): Piece[] | undefined {
  const found = [...text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*|[&,.;:!]|\S/gu)];
  const pieces = found.map(({ 0: piece, index }) => ({
    word: piece.toLowerCase(),
    start: index,
    end: index + piece.length,
  }));
  return pieces.some(({ word }) => /^[^\p{L}\p{N}&,.;:!]$/u.test(word)) ? undefined : pieces;
}
