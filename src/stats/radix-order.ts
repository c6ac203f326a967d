/** Digits of 11 bits of a key's upper half, lowest first: how far up, and their mask. */
const digits = [
  [0, 0x7ff],
  [11, 0x7ff],
  [22, 0x3ff],
] as const;

/** Numbers as unsigned 64-bit keys in two halves: of two numbers the larger has the larger key. */
interface Keys {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/**
 * Row numbers by value, the smallest first, and equal ones in the order of the rows: a radix sort by
 * the upper half of the numbers' own bits (sign, exponent and 20 bits); those that differ in the lower
 * half only are compared. Linear in rows but for these, and several times as fast as comparing all
 * where there are many. Knuth, "The Art of Computer Programming" 3 (1998), 5.2.5.
 *
 * @param values without NaN; 0 and -0 are equal.
 * @returns the rows in order, and for each place whether its number differs from the one before.
 */
export function radixOrder(values: ArrayLike<number>): {
  readonly order: Uint32Array;
  isNewAt(place: number): boolean;
} {
  const { low, high } = keysOf(values);
  const rows = values.length;
  let order = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) order[row] = row;
  let sorted = new Uint32Array(rows);
  const next = new Uint32Array(0x800);
  for (const [shift, mask] of digits) {
    next.fill(0);
    for (let row = 0; row < rows; row++) {
      const digit = ((high[row] ?? 0) >>> shift) & mask;
      next[digit] = (next[digit] ?? 0) + 1;
    }
    // A digit that all share sorts nothing.
    if (next[((high[0] ?? 0) >>> shift) & mask] === rows) continue;
    let before = 0;
    for (let digit = 0; digit <= mask; digit++) {
      const count = next[digit] ?? 0;
      next[digit] = before;
      before += count;
    }
    for (let place = 0; place < rows; place++) {
      const row = order[place] ?? 0;
      const digit = ((high[row] ?? 0) >>> shift) & mask;
      const to = next[digit] ?? 0;
      sorted[to] = row;
      next[digit] = to + 1;
    }
    [order, sorted] = [sorted, order];
  }
  sortByLowerHalf(order, { low, high });
  const isNewAt = (place: number) => {
    const row = order[place] ?? 0;
    const last = order[place - 1] ?? 0;
    return place === 0 || low[row] !== low[last] || high[row] !== high[last];
  };
  return { order, isNewAt };
}

/** Puts right what the upper half left as it came. */
function sortByLowerHalf(order: Uint32Array, { low, high }: Keys): void {
  for (let start = 0; start < order.length; ) {
    const first = order[start] ?? 0;
    let isMixed = false;
    let end = start + 1;
    for (; end < order.length && high[order[end] ?? 0] === high[first]; end++) {
      if (low[order[end] ?? 0] !== low[first]) isMixed = true;
    }
    if (isMixed) order.subarray(start, end).sort((a, b) => (low[a] ?? 0) - (low[b] ?? 0));
    start = end;
  }
}

/** Flips all bits of a negative number and the sign bit of another, so that bits order by value. */
function keysOf(values: ArrayLike<number>): Keys {
  const rows = values.length;
  // Adding 0 makes -0 to 0.
  const numbers = new Float64Array(rows);
  for (let row = 0; row < rows; row++) numbers[row] = (values[row] ?? 0) + 0;
  const words = new Uint32Array(numbers.buffer);
  const low = new Uint32Array(rows);
  const high = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const bottom = words[2 * row + lowerWord] ?? 0;
    const top = words[2 * row + 1 - lowerWord] ?? 0;
    const isNegative = top >>> 31 === 1;
    low[row] = isNegative ? ~bottom : bottom;
    high[row] = isNegative ? ~top : top ^ 0x80000000;
  }
  return { low, high };
}

/** Which half of a number comes first on this machine. */
const lowerWord = new Uint32Array(Float64Array.of(1).buffer)[0] === 0 ? 0 : 1;
