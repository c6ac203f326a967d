/**
 * The nearest whole number; halves go to the even one, as IEEE 754 and Python's `round` have it.
 *
 * @example roundHalfEven(2.5) // 2
 */
export function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}
