import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** A stream of pseudo-random numbers that is the same on every machine. */
export interface Random {
  /** Uniform on [0, 1), 32 bits of it. */
  next(): number;
  /** Uniform integer on [0, below). */
  integer(below: number): number;
  /** Fills `into` with what as many calls of `integer` return, several times as fast. */
  integers(below: number, into: Uint32Array): void;
  /** Adds to `counts` how often each integer below its length comes in `times` calls of `integer`. */
  tally(times: number, counts: Float64Array): void;
  /** Uniform number on [low, high). */
  between(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of `items`, uniformly. @throws RangeError where there are none. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy (Fisher and Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * A random stream seeded by the words of `path`: streams with other paths are independent, so a
 * draw added in one place moves nothing elsewhere. Generator: sfc32 (Doty-Humphrey's Small Fast
 * Counting), state from the SHA-256 of the path.
 *
 * @example randomFrom(0, "bootstrap").integer(6) // the same number on every machine
 */
export function randomFrom(...path: readonly (string | number)[]): Random {
  const seed = new DataView(sha256(utf8ToBytes(JSON.stringify(path))).buffer);
  let a = seed.getUint32(0) | 0;
  let b = seed.getUint32(4) | 0;
  let c = seed.getUint32(8) | 0;
  let counter = 1;

  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) bits();

  // Locals that are 32-bit integers stay in registers.
  const fill = (share: number, into: Uint32Array, from: number, to: number): void => {
    let w = a | 0;
    let x = b | 0;
    let y = c | 0;
    let z = counter | 0;
    for (let at = from; at < to; at++) {
      const sum = (((w + x) | 0) + z) | 0;
      z = (z + 1) | 0;
      w = x ^ (x >>> 9);
      x = (y + (y << 3)) | 0;
      y = (((y << 21) | (y >>> 11)) + sum) | 0;
      into[at] = (sum >>> 0) * share;
    }
    a = w;
    b = x;
    c = y;
    counter = z;
  };
  // In short calls, as compilers do best by loops that start within what they have compiled.
  const integers = (below: number, into: Uint32Array): void => {
    for (let from = 0; from < into.length; from += 1024) {
      fill(below / 2 ** 32, into, from, Math.min(from + 1024, into.length));
    }
  };

  const tally = (times: number, counts: Float64Array): void => {
    const share = counts.length / 2 ** 32;
    let w = a | 0;
    let x = b | 0;
    let y = c | 0;
    let z = counter | 0;
    for (let time = 0; time < times; time++) {
      const sum = (((w + x) | 0) + z) | 0;
      z = (z + 1) | 0;
      w = x ^ (x >>> 9);
      x = (y + (y << 3)) | 0;
      y = (((y << 21) | (y >>> 11)) + sum) | 0;
      const drawn = ((sum >>> 0) * share) | 0;
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    a = w;
    b = x;
    c = y;
    counter = z;
  };

  const next = () => bits() / 2 ** 32;
  // The share of 2^32 that one item gets is uneven by at most below / 2^32: nothing at our sizes.
  const integer = (below: number) => Math.floor(next() * below);
  return {
    next,
    integer,
    integers,
    tally,
    between: (low, high) => low + (high - low) * next(),
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError("Expected at least one item to pick from");
      return items[integer(items.length)] as (typeof items)[number];
    },
    shuffle: (items) => {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = integer(last + 1);
        const held = shuffled[last] as (typeof shuffled)[number];
        shuffled[last] = shuffled[other] as (typeof shuffled)[number];
        shuffled[other] = held;
      }
      return shuffled;
    },
  };
}
