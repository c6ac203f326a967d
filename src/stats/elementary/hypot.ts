/**
 * Returns the length of a right-angled triangle's long side: the sum of squares of the parts of the
 * larger, added with compensation (Kahan). The same bits on every engine.
 *
 * @example hypot(3, 4) // 5
 */
export function hypot(a: number, b: number): number {
  const most = Math.max(Math.abs(a), Math.abs(b));
  if (most === 0 || !Number.isFinite(most)) return most;
  let sum = 0;
  let lost = 0;
  for (const side of [a, b]) {
    const part = Math.abs(side) / most;
    const added = part * part - lost;
    const next = sum + added;
    lost = next - sum - added;
    sum = next;
  }
  return Math.sqrt(sum) * most;
}
