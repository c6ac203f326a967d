/** Digits of a key of 32 bits: how far up each stands, the lowest first, and their mask. */
const shortDigits = { shifts: [0, 11, 22], mask: 0x7ff };
/** A round less, and more to count. */
const longDigits = { shifts: [0, 16], mask: 0xffff };
/** From so many rows on the rounds take longer than the counting, and we try first to spread them evenly. */
const manyRows = 20_000;

/** Up to so many rows are sorted by insertion. */
const fewRows = 16;

/**
 * Row numbers by value, the smallest first, and equal ones in the order of the rows: a radix sort by
 * the upper half of the numbers' own bits (sign, exponent and 20 bits); those that differ in the lower
 * half only are compared. Linear in rows but for these, and several times as fast as comparing all
 * where there are many. Knuth, "The Art of Computer Programming" 3 (1998), 5.2.5. Many rows whose numbers lie evenly
 * are sorted by these themselves, in a third of the time.
 *
 * @param values without NaN; 0 and -0 are equal.
 * @returns the rows in order, and for each place whether its number differs from the one before.
 */
export function radixOrder(values: ArrayLike<number>): {
  readonly order: Uint32Array;
  isNewAt(place: number): boolean;
} {
  const { order, isNew } = sorted(values);
  return { order, isNewAt: (place) => isNew[place] === 1 };
}

/** The same with 1 at each place whose number differs from the one before. */
export function sorted(values: ArrayLike<number>): { order: Uint32Array; isNew: Uint8Array } {
  const rows = values.length;
  const numbers = values instanceof Float64Array ? values : Float64Array.from(values);
  const spread = rows < manyRows ? undefined : spreadOut(numbers);
  if (spread !== undefined) return spread;
  const { shifts, mask } = rows < manyRows ? shortDigits : longDigits;
  const key = upperKeys(numbers);
  let order: Uint32Array | undefined;
  let spare: Uint32Array | undefined;
  for (const shift of shifts) {
    const next = digitCounts(key, shift, mask);
    // A digit that all share sorts nothing.
    if (next[((key[0] ?? 0) >>> shift) & mask] === rows) continue;
    toPlaces(next);
    const to = spare ?? new Uint32Array(rows);
    scatter({ key, order, to }, { next, shift, mask });
    spare = order;
    order = to;
  }
  order ??= new Uint32Array(rows).map((_, row) => row);
  return { order, isNew: sortWithinKeys(order, numbers, key) };
}

/**
 * Puts rows into half as many places by where their numbers lie between the least and the largest, then each place in
 * order. Undefined where a place has many.
 */
function spreadOut(numbers: Float64Array): { order: Uint32Array; isNew: Uint8Array } | undefined {
  const rows = numbers.length;
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < rows; row++) {
    const value = numbers[row] ?? 0;
    if (value < least) least = value;
    if (value > largest) largest = value;
  }
  const next = new Uint32Array(rows >> 1);
  const scale = (next.length - 1) / (largest - least);
  for (let row = 0; row < rows; row++) {
    const place = (((numbers[row] ?? 0) - least) * scale) | 0;
    const count = (next[place] ?? 0) + 1;
    if (count > fewRows) return undefined;
    next[place] = count;
  }
  toPlaces(next);
  const order = new Uint32Array(rows);
  const sorted = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const value = numbers[row] ?? 0;
    const place = ((value - least) * scale) | 0;
    const goes = next[place] ?? 0;
    next[place] = goes + 1;
    sorted[goes] = value;
    order[goes] = row;
  }
  for (let at = 1; at < rows; at++) {
    const value = sorted[at] ?? 0;
    if ((sorted[at - 1] ?? 0) <= value) continue;
    const row = order[at] ?? 0;
    let place = at;
    for (; place > 0 && (sorted[place - 1] ?? 0) > value; place--) {
      sorted[place] = sorted[place - 1] ?? 0;
      order[place] = order[place - 1] ?? 0;
    }
    sorted[place] = value;
    order[place] = row;
  }
  const isNew = new Uint8Array(rows).fill(1, 0, 1);
  for (let at = 1; at < rows; at++) if (sorted[at] !== sorted[at - 1]) isNew[at] = 1;
  return { order, isNew };
}

/** The upper halves of numbers, flipped so that as unsigned integers they order by value. */
function upperKeys(numbers: Float64Array): Uint32Array {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
  const key = new Uint32Array(numbers.length);
  for (let row = 0; row < key.length; row++) {
    const top = words[2 * row + 1 - lowerWord] ?? 0;
    const isNegative = top >>> 31 === 1 && !(top === sign && words[2 * row + lowerWord] === 0);
    // All bits of a negative number, the sign of another; that of -0, which is equal to 0, is none.
    key[row] = isNegative ? ~top : (top | sign) >>> 0;
  }
  return key;
}

const sign = 0x80000000;

/** How many keys have each value of a digit. */
function digitCounts(key: Uint32Array, shift: number, mask: number): Uint32Array {
  const counts = new Uint32Array(mask + 1);
  for (let row = 0; row < key.length; row++) {
    const digit = ((key[row] ?? 0) >>> shift) & mask;
    counts[digit] = (counts[digit] ?? 0) + 1;
  }
  return counts;
}

/** Makes of how many have each digit the place of the first that has it. */
function toPlaces(counts: Uint32Array): void {
  let before = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit] ?? 0;
    counts[digit] = before;
    before += count;
  }
}

/**
 * Puts rows in the order of one digit of their keys.
 *
 * @param rows.order the rows as they come; without it by number.
 * @param digit.next the place where the next row with each digit goes.
 */
function scatter(
  { key, order, to }: { key: Uint32Array; order: Uint32Array | undefined; to: Uint32Array },
  { next, shift, mask }: { next: Uint32Array; shift: number; mask: number },
): void {
  for (let place = 0; place < to.length; place++) {
    const row = order === undefined ? place : (order[place] ?? 0);
    const digit = ((key[row] ?? 0) >>> shift) & mask;
    const goes = next[digit] ?? 0;
    next[digit] = goes + 1;
    to[goes] = row;
  }
}

/** Puts right what equal keys left as it came; 1 at each place with a new number. */
function sortWithinKeys(order: Uint32Array, numbers: Float64Array, key: Uint32Array): Uint8Array {
  const isNew = new Uint8Array(order.length).fill(1, 0, 1);
  let before = numbers[order[0] ?? 0] ?? 0;
  for (let at = 1; at < order.length; at++) {
    const value = numbers[order[at] ?? 0] ?? 0;
    if (!(value < before)) {
      if (value !== before) isNew[at] = 1;
      before = value;
      continue;
    }
    // The first that is too late: those with its key are sorted, and looked at again.
    const its = key[order[at] ?? 0];
    let start = at - 1;
    while (start > 0 && key[order[start - 1] ?? 0] === its) start -= 1;
    let end = at + 1;
    while (end < order.length && key[order[end] ?? 0] === its) end += 1;
    if (end - start > fewRows) {
      order.subarray(start, end).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0));
    } else insertionSort(order, start, end, numbers);
    isNew.fill(0, start + 1, end);
    at = start;
    before = numbers[order[start] ?? 0] ?? 0;
  }
  return isNew;
}

/** Sorts the rows from one place up to another by their numbers. */
function insertionSort(
  order: Uint32Array,
  start: number,
  end: number,
  numbers: Float64Array,
): void {
  for (let at = start + 1; at < end; at++) {
    const row = order[at] ?? 0;
    const its = numbers[row] ?? 0;
    let place = at;
    for (; place > start && (numbers[order[place - 1] ?? 0] ?? 0) > its; place--) {
      order[place] = order[place - 1] ?? 0;
    }
    order[place] = row;
  }
}

/** Which half of a number comes first on this machine. */
const lowerWord = new Uint32Array(Float64Array.of(1).buffer)[0] === 0 ? 0 : 1;
