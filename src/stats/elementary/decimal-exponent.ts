/**
 * Returns the power of ten of a number's first digit, exactly, for numbers other than 0.
 *
 * @example decimalExponent(999) // 2
 */
export const decimalExponent = (x: number): number => Number(x.toExponential().split("e")[1]);
