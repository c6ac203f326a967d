/**
 * A number with three significant figures, without an exponent where a person would not use one.
 *
 * @example number3(0.71649) // "0.716"
 */
export function number3(value: number): string {
  if (!Number.isFinite(value))
    throw new RangeError(`Expected a finite number but received ${value}`);
  const magnitude = Math.abs(value);
  if (magnitude === 0) return "0";
  if (magnitude < 1e-4 || magnitude >= 1e6) return value.toExponential(2);
  // Whole numbers lose no digits: 1,234 items are not 1,230.
  if (Number.isInteger(value)) return String(value);
  if (magnitude >= 1000) return value.toFixed(0);
  return value.toPrecision(3);
}

/** An estimate as `analyze` gives it. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly reason?: string | undefined;
}

/**
 * An estimate with its interval, or why there is none.
 *
 * @example estimate3({ value: 0.716, low: 0.69, high: 0.7412 }) // "0.716 [0.690, 0.741]"
 */
export function estimate3({ value, low, high, reason }: Estimate): string {
  if (value === null) return reason === undefined ? "undefined" : `undefined (${reason})`;
  if (low === null || high === null) return number3(value);
  return `${number3(value)} [${number3(low)}, ${number3(high)}]`;
}
