/** Codes of characters (UTF-16): in bytes where all are ASCII. */
export type CharacterCodes = Uint8Array | Uint16Array;

/** As many names are remembered as the texts they came as. */
const mostRecent = 10_000;

/** Longer parts than this are put together from several. */
const mostArguments = 8192;

/**
 * Numbers names from 0, in the order in which they first occur: given as texts, or where they stand among
 * character codes. Holds the codes of each once, outside the heap of JavaScript, for millions of them.
 */
export class Names {
  /** Where the name that was looked for last ended. */
  end = 0;
  #count = 0;
  /** The codes of all names, one behind the other; name n has those from start[n] up to start[n + 1]. */
  #units = new Uint16Array(256);
  #start = new Int32Array(33);
  #hashes = new Int32Array(32);
  /** The name that came behind each one when it was last met: tables repeat themselves. */
  #following = new Int32Array(32);
  /** 1 + the name that hashes to a slot or to one shortly before it; 0 where it is free. A power of two. */
  #slots = new Int32Array(64);
  #last = 0;
  #hash = 0;
  /** Names that came as texts lately. */
  readonly #recent = new Map<string, number>();
  #before: string | undefined;
  #beforeNumber = -1;
  readonly #texts: string[] = [];
  #given = new Uint16Array(64);

  get count(): number {
    return this.#count;
  }

  /** All names, by number. */
  get all(): readonly string[] {
    for (let name = this.#texts.length; name < this.#count; name++) {
      this.#texts.push(this.#textOf(name));
    }
    return this.#texts;
  }

  /** The number of a name, a new one where it is new. */
  numberOf(name: string): number {
    if (name === this.#before) return this.#beforeNumber;
    let number = this.#recent.get(name);
    if (number === undefined) {
      const codes = this.#codesOf(name);
      number = this.#search(codes, 0, name.length);
      if (number < 0) number = this.#add(codes, 0, name.length);
      if (this.#recent.size >= mostRecent) this.#recent.clear();
      this.#recent.set(name, number);
    }
    this.#before = name;
    this.#beforeNumber = number;
    return number;
  }

  /** The number of a name that was met. */
  find(name: string): number | undefined {
    const number = this.#search(this.#codesOf(name), 0, name.length);
    return number < 0 ? undefined : number;
  }

  /**
   * The number of the name that begins at a place and goes on to the first code of `stop` (1 for each);
   * -1 where it was not met, so that it may be added. `end` is where it ends.
   */
  findAt(codes: CharacterCodes, from: number, stop: Uint8Array): number {
    const last = this.#last;
    const guess = this.#following[last] ?? 0;
    if (this.#count > 0) {
      if (this.#isAt(guess, codes, from, stop)) return this.#found(guess);
      if (guess !== last && this.#isAt(last, codes, from, stop)) return this.#found(last);
    }
    let to = from;
    while (stop[codes[to] ?? 0] !== 1) to += 1;
    this.end = to;
    const number = this.#search(codes, from, to);
    return number < 0 ? -1 : this.#found(number);
  }

  /** Adds the name that `findAt` has just not found; its number. */
  addAt(codes: CharacterCodes, from: number): number {
    return this.#found(this.#add(codes, from, this.end));
  }

  #found(name: number): number {
    this.#following[this.#last] = name;
    this.#last = name;
    return name;
  }

  /** Whether a name stands at a place, with a code of `stop` behind it and none in it. */
  #isAt(name: number, codes: CharacterCodes, from: number, stop: Uint8Array): boolean {
    const units = this.#units;
    const end = this.#start[name + 1] ?? 0;
    let at = from;
    for (let place = this.#start[name] ?? 0; place < end; place++) {
      const code = codes[at] ?? 0;
      if (units[place] !== code || stop[code] === 1) return false;
      at += 1;
    }
    if (stop[codes[at] ?? 0] !== 1) return false;
    this.end = at;
    return true;
  }

  #search(codes: CharacterCodes, from: number, to: number): number {
    const hash = hashOf(codes, from, to);
    this.#hash = hash;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const name = (slots[slot] ?? 0) - 1;
      if (name < 0) return -1;
      if (this.#hashes[name] === hash && this.#isSame(name, codes, from, to)) return name;
    }
  }

  #isSame(name: number, codes: CharacterCodes, from: number, to: number): boolean {
    const start = this.#start[name] ?? 0;
    if ((this.#start[name + 1] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (this.#units[start + at - from] !== codes[at]) return false;
    }
    return true;
  }

  /** Adds the name whose hash was searched for last. */
  #add(codes: CharacterCodes, from: number, to: number): number {
    const name = this.#count;
    const start = this.#start[name] ?? 0;
    const end = start + to - from;
    if (name === this.#hashes.length) this.#grow();
    if (end > this.#units.length) {
      const more = new Uint16Array(Math.max(end, 2 * this.#units.length));
      more.set(this.#units);
      this.#units = more;
    }
    this.#units.set(codes.subarray(from, to), start);
    this.#start[name + 1] = end;
    this.#hashes[name] = this.#hash;
    this.#following[name] = name;
    this.#count += 1;
    this.#enter(name);
    return name;
  }

  #enter(name: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (this.#hashes[name] ?? 0) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = name + 1;
  }

  #grow(): void {
    const size = 2 * this.#hashes.length;
    this.#start = longer(this.#start, size + 1);
    this.#hashes = longer(this.#hashes, size);
    this.#following = longer(this.#following, size);
    this.#slots = new Int32Array(2 * size);
    for (let name = 0; name < this.#count; name++) this.#enter(name);
  }

  #textOf(name: number): string {
    const end = this.#start[name + 1] ?? 0;
    let text = "";
    for (let from = this.#start[name] ?? 0; from < end; from += mostArguments) {
      const part = this.#units.subarray(from, Math.min(end, from + mostArguments));
      text += Reflect.apply(String.fromCharCode, undefined, part);
    }
    return text;
  }

  /** A code for each of its UTF-16 units, in an array that is used again. */
  #codesOf(text: string): Uint16Array {
    if (text.length > this.#given.length) this.#given = new Uint16Array(2 * text.length);
    for (let at = 0; at < text.length; at++) this.#given[at] = text.charCodeAt(at);
    return this.#given;
  }
}

function hashOf(codes: CharacterCodes, from: number, to: number): number {
  let hash = 0x9e3779b9 | 0;
  for (let at = from; at < to; at++) {
    hash = Math.imul(hash ^ (codes[at] ?? 0), 0x5f356495);
    hash ^= hash >>> 15;
  }
  return hash;
}

function longer(numbers: Int32Array, length: number) {
  const more = new Int32Array(length);
  more.set(numbers);
  return more;
}
