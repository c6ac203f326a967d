/**
 * The number that a text is, as tables write it: strict, so no hexadecimal, no grouping, no decimal comma,
 * no unit and no space.
 *
 * @returns undefined where it is none.
 * @example decimalNumber("1e-3") // 0.001
 * @example decimalNumber("0x10") // undefined
 */
export const decimalNumber = (text: string): number | undefined =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
