/** Longer texts than this are decoded whole. */
const mostArguments = 1024;

/**
 * Numbers the texts of a column from 0, in the order in which they first occur, where they stand in UTF-8. Holds
 * the bytes of each once, outside the heap of JavaScript, for millions of them.
 */
export class Dictionary {
  /** Where the text that was looked for last ended. */
  end = 0;
  #count = 0;
  /** The bytes of all texts, one behind the other; text n has those from start[n] up to start[n + 1]. */
  #bytes = new Uint8Array(256);
  #start = new Int32Array(33);
  #hashes = new Int32Array(32);
  /** The text that came behind each one when it was last met: tables repeat themselves. */
  #following = new Int32Array(32);
  /** 1 + the text that hashes to a slot or to one shortly before it; 0 where it is free. A power of two. */
  #slots = new Int32Array(64);
  #last = 0;
  #hash = 0;
  readonly #texts: (string | undefined)[] = [];
  /** Texts that UTF-8 can't hold: half of a surrogate pair. */
  readonly #broken = new Map<string, number>();
  #given = new Uint8Array(256);

  get count(): number {
    return this.#count;
  }

  /** Bytes that are held, and those that find them. */
  get size(): number {
    return (this.#start[this.#count] ?? 0) + 24 * this.#count;
  }

  /** The text of a number, which is kept for the next time. */
  textOf(code: number): string {
    this.#texts[code] ??= this.decoded(code);
    return this.#texts[code];
  }

  /** The text of a number that is not asked for again and again. */
  decoded(code: number): string {
    return (
      this.#texts[code] ?? textOf(this.#bytes, this.#start[code] ?? 0, this.#start[code + 1] ?? 0)
    );
  }

  /** First byte of a text; 0 of an empty one. */
  firstByte(code: number): number {
    const start = this.#start[code] ?? 0;
    return start === this.#start[code + 1] ? 0 : (this.#bytes[start] ?? 0);
  }

  /** Number of a text, a new one where it is new. */
  codeOf(text: string): number {
    if (3 * text.length > this.#given.length) this.#given = new Uint8Array(6 * text.length);
    const { written } = encoder.encodeInto(text, this.#given);
    if (written > text.length && isBroken(text)) return this.#codeOfBroken(text, written);
    return this.codeAt(this.#given, 0, written);
  }

  /** Whether a text has a number. */
  has(text: string): boolean {
    const bytes = encoder.encode(text);
    return this.#search(bytes, 0, bytes.length) >= 0;
  }

  /** Number of the text that stands between two places, a new one where it is new. */
  codeAt(bytes: Uint8Array, from: number, to: number): number {
    const code = this.#search(bytes, from, to);
    return this.#found(code < 0 ? this.#add(bytes, from, to) : code);
  }

  /**
   * Number of the text that begins at a place and goes on to the first byte of `stop` (1 for each), which must
   * come; `end` is then where it ends.
   */
  codeUpTo(bytes: Uint8Array, from: number, stop: Uint8Array): number {
    const last = this.#last;
    const guess = this.#following[last] ?? 0;
    if (this.#count > 0) {
      if (this.#isAt(guess, bytes, from, stop)) return this.#found(guess);
      if (guess !== last && this.#isAt(last, bytes, from, stop)) return this.#found(last);
    }
    let to = from;
    let hash = 0x9e3779b9 | 0;
    for (let byte = bytes[to] ?? 0; stop[byte] !== 1; byte = bytes[++to] ?? 0) {
      hash = Math.imul(hash ^ byte, 0x5f356495);
      hash ^= hash >>> 15;
    }
    this.end = to;
    const code = this.#searchFor(hash, bytes, from, to);
    return this.#found(code < 0 ? this.#add(bytes, from, to) : code);
  }

  #found(code: number): number {
    this.#following[this.#last] = code;
    this.#last = code;
    return code;
  }

  #isAt(code: number, bytes: Uint8Array, from: number, stop: Uint8Array): boolean {
    const own = this.#bytes;
    const end = this.#start[code + 1] ?? 0;
    let at = from;
    for (let place = this.#start[code] ?? 0; place < end; place++) {
      const byte = bytes[at] ?? 0;
      if (own[place] !== byte || stop[byte] === 1) return false;
      at += 1;
    }
    if (stop[bytes[at] ?? 0] !== 1) return false;
    this.end = at;
    return true;
  }

  #search(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x9e3779b9 | 0;
    for (let at = from; at < to; at++) {
      hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x5f356495);
      hash ^= hash >>> 15;
    }
    return this.#searchFor(hash, bytes, from, to);
  }

  #searchFor(hash: number, bytes: Uint8Array, from: number, to: number): number {
    this.#hash = hash;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = (slots[slot] ?? 0) - 1;
      if (code < 0) return -1;
      if (this.#hashes[code] === hash && this.#isSame(code, bytes, from, to)) return code;
    }
  }

  #isSame(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#start[code] ?? 0;
    if ((this.#start[code + 1] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (this.#bytes[start + at - from] !== bytes[at]) return false;
    }
    return true;
  }

  /** Adds the text whose hash was searched for last. */
  #add(bytes: Uint8Array, from: number, to: number): number {
    const code = this.#count;
    const start = this.#start[code] ?? 0;
    const end = start + to - from;
    if (code === this.#hashes.length) this.#grow();
    if (end > this.#bytes.length) {
      const more = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      more.set(this.#bytes);
      this.#bytes = more;
    }
    const own = this.#bytes;
    for (let at = from; at < to; at++) own[start + at - from] = bytes[at] ?? 0;
    this.#start[code + 1] = end;
    this.#hashes[code] = this.#hash;
    this.#following[code] = code;
    this.#count += 1;
    this.#enter(code);
    return code;
  }

  #enter(code: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (this.#hashes[code] ?? 0) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = code + 1;
  }

  #grow(): void {
    const size = 2 * this.#hashes.length;
    this.#start = longer(this.#start, size + 1);
    this.#hashes = longer(this.#hashes, size);
    this.#following = longer(this.#following, size);
    this.#slots = new Int32Array(2 * size);
    for (let code = 0; code < this.#count; code++) this.#enter(code);
  }

  /** A text of its own, whatever its bytes say. */
  #codeOfBroken(text: string, written: number): number {
    const known = this.#broken.get(text);
    if (known !== undefined) return known;
    this.#search(this.#given, 0, written);
    const code = this.#add(this.#given, 0, written);
    this.#texts[code] = text;
    this.#broken.set(text, code);
    return code;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Half of a surrogate pair, which JSON may hold and UTF-8 may not. */
const isBroken = (text: string) => /\p{Surrogate}/u.test(text);

/** The text of UTF-8 between two places. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  const part = bytes.subarray(from, to);
  let all = 0;
  for (let at = from; at < to; at++) all |= bytes[at] ?? 0;
  return all < 128 && part.length <= mostArguments
    ? Reflect.apply(String.fromCharCode, undefined, part)
    : decoder.decode(part);
}

function longer(numbers: Int32Array, length: number) {
  const more = new Int32Array(length);
  more.set(numbers);
  return more;
}
