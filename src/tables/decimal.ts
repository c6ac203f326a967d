/** Powers of ten that a double holds exactly. */
const powers = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const mostPower = powers.length - 1;

/** Digits of the mantissa that a double surely holds, and those that may follow in a second one. */
const headDigits = 15;
const tailDigits = 4;

/** More than the rounding of a few operations, and far less than half of a last place. */
const doubt = 2 ** -48;

/** Half of a double's bits, to split it in two (Veltkamp). */
const splitter = 2 ** 27 + 1;

/**
 * Reads a decimal number where it stands among character codes, without making a text of it: the number
 * that `Number` makes of the same digits, to the last bit. Most are a mantissa below 10^15 over a power of
 * ten, one division of two exact numbers (Clinger, "How to Read Floating Point Numbers Accurately", 1990);
 * longer ones are divided with what is left over, unless that falls too near to the middle of two numbers.
 */
export class Decimal {
  /** The number that was read last. */
  value = 0;

  /**
   * @param stop 1 for each code that may stand behind a number.
   * @returns where the number ends; -1 where there is none, or one that must be read with more care.
   */
  read(units: ArrayLike<number>, from: number, stop: Uint8Array): number {
    let at = from;
    let unit = units[at] ?? 0;
    const isNegative = unit === 45;
    if (isNegative || unit === 43) unit = units[++at] ?? 0;
    const start = at;
    let point = -1;
    let head = 0;
    let tail = 0;
    let count = 0;
    for (; ; unit = units[++at] ?? 0) {
      const digit = unit - 48;
      if (digit >= 0 && digit <= 9) {
        if (count < headDigits) head = head * 10 + digit;
        else tail = tail * 10 + digit;
        if (count > 0 || digit > 0) count += 1;
      } else if (unit === 46 && point < 0) point = at;
      else break;
    }
    const behind = Math.max(0, count - headDigits);
    if (at === start || (at === start + 1 && point >= 0) || behind > tailDigits) return -1;
    let scale = point < 0 ? 0 : at - 1 - point;
    if (unit === 69 || unit === 101) {
      unit = units[++at] ?? 0;
      const isBelow = unit === 45;
      if (isBelow || unit === 43) unit = units[++at] ?? 0;
      let exponent = 0;
      const first = at;
      for (; unit >= 48 && unit <= 57 && at < first + 3; unit = units[++at] ?? 0) {
        exponent = exponent * 10 + unit - 48;
      }
      if (at === first) return -1;
      scale += isBelow ? exponent : -exponent;
    }
    if (stop[unit] !== 1) return -1;
    const value = quotient(head, tail, behind, scale);
    if (Number.isNaN(value)) return -1;
    this.value = isNegative ? -value : value;
    return at;
  }
}

/** (head 10^behind + tail) / 10^scale; NaN where it can't be told in two doubles. */
function quotient(head: number, tail: number, behind: number, scale: number): number {
  if (behind === 0) {
    if (head === 0) return 0;
    if (scale >= 0) return scale <= mostPower ? head / (powers[scale] ?? 0) : Number.NaN;
    return -scale <= mostPower ? head * (powers[-scale] ?? 0) : Number.NaN;
  }
  if (scale < 0 || scale > mostPower) return Number.NaN;
  const shift = powers[behind] ?? 0;
  const divisor = powers[scale] ?? 0;
  const product = head * shift;
  const sum = product + tail;
  // What the product and the sum were rounded by (Dekker, Knuth).
  const added = sum - product;
  const lost = lostOf(head, shift, product) + (product - (sum - added) + (tail - added));
  const first = sum / divisor;
  const back = first * divisor;
  const rest = (sum - back - lostOf(first, divisor, back) + lost) / divisor;
  const value = first + rest * (1 + doubt);
  return value === first + rest * (1 - doubt) ? value : Number.NaN;
}

/** Rounding error of a product of two doubles. */
function lostOf(one: number, other: number, product: number): number {
  const a = splitter * one;
  const high = a - (a - one);
  const low = one - high;
  const b = splitter * other;
  const otherHigh = b - (b - other);
  const otherLow = other - otherHigh;
  return low * otherLow - (product - high * otherHigh - low * otherHigh - high * otherLow);
}
