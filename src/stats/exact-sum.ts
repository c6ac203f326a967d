/**
 * The sum of numbers, rounded once: no order of them changes it. A sum and what it was rounded by mostly hold it;
 * else parts that do not overlap are kept (Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic", 4.3), and
 * added from the largest down, ties to even.
 *
 * @param start of the numbers that are added, up to `end`; default all.
 * @example exactSum([1e16, 1, -1e16]) // 1, where one addition after the other gives 0
 */
export function exactSum(values: ArrayLike<number>, start = 0, end = values.length): number {
  let high = 0;
  let low = 0;
  for (let at = start; at < end; at++) {
    const value = values[at] ?? 0;
    const sum = high + value;
    const added = sum - high;
    const rest = high - (sum - added) + (value - added);
    const both = low + rest;
    const lowAdded = both - low;
    if (low - (both - lowAdded) + (rest - lowAdded) !== 0) return sumOfParts(values, start, end);
    high = sum;
    low = both;
  }
  return 0 + (high + low);
}

function sumOfParts(values: ArrayLike<number>, start: number, end: number): number {
  const parts: number[] = [];
  for (let at = start; at < end; at++) {
    let sum = values[at] ?? 0;
    let kept = 0;
    for (let each = 0; each < parts.length; each++) {
      const part = parts[each] ?? 0;
      const isLess = Math.abs(sum) < Math.abs(part);
      const large = isLess ? part : sum;
      const small = isLess ? sum : part;
      sum = large + small;
      const rest = small - (sum - large);
      if (rest !== 0) {
        parts[kept] = rest;
        kept += 1;
      }
    }
    if (!Number.isFinite(sum)) return sum;
    parts.length = kept;
    parts.push(sum);
  }
  return 0 + rounded(parts);
}

/** Parts from the smallest to the largest, as the nearest number. */
function rounded(parts: readonly number[]): number {
  let left = parts.length - 1;
  let sum = parts[left] ?? 0;
  let rest = 0;
  while (left > 0 && rest === 0) {
    left -= 1;
    const before = sum;
    const part = parts[left] ?? 0;
    sum = before + part;
    rest = part - (sum - before);
  }
  // Half way between two numbers what is left decides.
  if (left > 0 && rest !== 0 && Math.sign(rest) === Math.sign(parts[left - 1] ?? 0)) {
    const next = sum + 2 * rest;
    if (next - sum === 2 * rest) return next;
  }
  return sum;
}
