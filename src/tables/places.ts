/** As many places behind the first one are looked at in order; then those that the whole hash leads to. */
const inOrder = 8;

/**
 * Remembers on which line a value was first seen, for millions of values: 12 bytes to 30 bytes
 * each, outside the heap of JavaScript. Values are known by a hash of 64 bits: of a million
 * different ones two are taken for one with a chance of 3 in 100 million. Its low half says where a
 * value stands, so that values which come together, and have neighbours there, are found together.
 */
export class Places {
  /** Three numbers a place: both halves of the hash, and the line; line 0 is a free place. */
  #places = new Uint32Array(3 * 1024);
  #used = 0;

  /** Notes the line, from 1, where the value is new; else gives the line it was seen on. */
  firstLine(high: number, low: number, line: number): number | undefined {
    if (this.#used * 5 > (this.#places.length / 3) * 3) this.#grow();
    const places = this.#places;
    const at = this.#find(high, low);
    const earlier = places[at + 2] ?? 0;
    if (earlier !== 0) return earlier;
    places[at] = high;
    places[at + 1] = low;
    places[at + 2] = line;
    this.#used += 1;
    return undefined;
  }

  /** Where the hash stands, or the free place where it belongs. */
  #find(high: number, low: number): number {
    const places = this.#places;
    // A power of two, so that the mask takes any hash to a place.
    const mask = places.length / 3 - 1;
    for (let step = 0; step < inOrder; step++) {
      const at = ((low + step) & mask) * 3;
      if (places[at + 2] === 0 || (places[at] === high && places[at + 1] === low)) return at;
    }
    // Steps of an odd length come past every place once.
    const stride = mixedBits(high ^ low) | 1;
    for (let place = mixedBits(high + stride) & mask; ; place = (place + stride) & mask) {
      const at = place * 3;
      if (places[at + 2] === 0 || (places[at] === high && places[at + 1] === low)) return at;
    }
  }

  #grow(): void {
    const old = this.#places;
    this.#places = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 3) {
      if (old[at + 2] === 0) continue;
      const to = this.#find(old[at] ?? 0, old[at + 1] ?? 0);
      for (let part = 0; part < 3; part++) this.#places[to + part] = old[at + part] ?? 0;
    }
  }
}

/** Two halves of 32 bits, without a sign. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

/** The hash of a text: each half is mixed by other multipliers and then with the other one. */
export function hashOf(value: string): Hash {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    high ^= high >>> 15;
    low = Math.imul(low ^ unit, 0x5f356495);
    low ^= low >>> 13;
  }
  return mixed(high, low, value.length);
}

function mixed(one: number, other: number, length: number): Hash {
  let high = Math.imul(one ^ (one >>> 16) ^ length, 0x85ebca6b) ^ Math.imul(other, 0xc2b2ae35);
  let low = Math.imul(other ^ (other >>> 16), 0xc2b2ae35);
  low ^= Math.imul(high ^ (high >>> 13), 0x27d4eb2f);
  high ^= high >>> 16;
  low ^= low >>> 15;
  return { high: high >>> 0, low: low >>> 0 };
}

/** All bits of a number mixed, a different number for each (the last step of MurmurHash3). */
function mixedBits(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
