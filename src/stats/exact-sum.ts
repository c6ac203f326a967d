/**
 * The sum of numbers, rounded once: no order of them changes it. Parts that do not overlap are kept (Shewchuk 1997,
 * "Adaptive Precision Floating-Point Arithmetic", 4.3), and added from the largest down, ties to even.
 *
 * @param start of the numbers that are added, up to `end`; default all.
 * @example exactSum([1e16, 1, -1e16]) // 1, where one addition after the other gives 0
 */
export function exactSum(values: ArrayLike<number>, start = 0, end = values.length): number {
  if (end - start === 1) return 0 + (values[start] ?? 0);
  // As long as nothing is rounded off, as in counts, there is one part.
  let first = 0;
  let from = start;
  for (; from < end; from++) {
    const value = values[from] ?? 0;
    const next = first + value;
    const added = next - first;
    if (first - (next - added) + (value - added) !== 0) break;
    first = next;
  }
  if (from === end) return 0 + first;
  const parts: number[] = [first];
  for (let at = from; at < end; at++) {
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
