import type { CharacterCodes } from "../core/names.js";
import type { TextPiece } from "./ascii-text.js";
import type { Hash } from "./places.js";
import { copyOf } from "./words.js";

/** A cell's text as it was read once. */
export interface CellWord {
  readonly value: unknown;
  /** Of its value, where that is a text. */
  readonly hash: Hash | undefined;
}

const mostWords = 8192;
const mostUnits = 2 ** 20;
/** The last of four slots for each word, a power of two in all. */
const last = 4 * mostWords - 1;

/**
 * Remembers what the newest some thousand texts of a column were read as, by their character codes: a
 * table says the same names in a million rows, and none of them needs a text, or another look, of its own.
 */
export class CellWords {
  readonly #read: (text: string) => CellWord | undefined;
  /** The codes of all texts, one behind the other; text t has those from start[t] up to start[t + 1]. */
  #units = new Uint16Array(1024);
  readonly #start = new Int32Array(mostWords + 1);
  #words: CellWord[] = [];
  /** 1 + the text that hashes to a slot or to one shortly before it; 0 where it is free. */
  readonly #slots = new Int32Array(last + 1);
  #last = -1;

  /** @param read undefined for a text that is to be read with more care. */
  constructor(read: (text: string) => CellWord | undefined) {
    this.#read = read;
  }

  /** The word that was found last. */
  get word(): CellWord | undefined {
    return this.#words[this.#last];
  }

  /**
   * Finds the word whose text begins at a place and goes on to the first code that ends one.
   *
   * @param text of the same codes.
   * @param stop 1 for each code that ends a cell.
   * @returns where it ends; -1 where it is to be read with more care.
   */
  find(
    units: CharacterCodes,
    from: number,
    { text, stop }: { readonly text: TextPiece; readonly stop: Uint8Array },
  ): number {
    // Most rows say what the row before them says.
    const before = this.#last;
    if (before >= 0) {
      const end = this.#sameAs(before, units, from);
      if (end >= 0 && stop[units[end] ?? 0] === 1) return end;
    }
    let hash = 0x9e3779b9;
    let to = from;
    for (let unit = units[to] ?? 0; stop[unit] !== 1; unit = units[++to] ?? 0) {
      hash = Math.imul(hash ^ unit, 0x5f356495);
      hash ^= hash >>> 15;
    }
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const known = (this.#slots[slot] ?? 0) - 1;
      if (known < 0) break;
      if (this.#sameAs(known, units, from) === to) {
        this.#last = known;
        return to;
      }
    }
    const word = this.#read(copyOf(text.slice(from, to)));
    if (word === undefined || to - from > mostUnits) return -1;
    this.#keep(word, units.subarray(from, to), hash);
    return to;
  }

  /** Where a word ends that begins here; -1 where another text does. */
  #sameAs(word: number, units: CharacterCodes, from: number): number {
    const own = this.#units;
    const end = this.#start[word + 1] ?? 0;
    let at = from;
    for (let place = this.#start[word] ?? 0; place < end; place++) {
      if (own[place] !== units[at]) return -1;
      at += 1;
    }
    return at;
  }

  #keep(word: CellWord, units: CharacterCodes, hash: number): void {
    if (this.#words.length === mostWords || this.#end() + units.length > mostUnits) {
      this.#words = [];
      this.#slots.fill(0);
    }
    const start = this.#end();
    const end = start + units.length;
    if (end > this.#units.length) {
      const more = new Uint16Array(Math.max(end, 2 * this.#units.length));
      more.set(this.#units);
      this.#units = more;
    }
    this.#units.set(units, start);
    this.#last = this.#words.length;
    this.#words.push(word);
    this.#start[this.#words.length] = end;
    let slot = hash & last;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
    this.#slots[slot] = this.#words.length;
  }

  /** Where the codes of the next word begin. */
  #end(): number {
    return this.#start[this.#words.length] ?? 0;
  }
}
