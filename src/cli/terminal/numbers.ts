import type { Estimate } from "../../stats/estimate.js";
import { estimateText } from "../../views/number-text.js";

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

/**
 * US dollars, with as many decimals as the first three figures need and two at least.
 *
 * @example dollars(0.0042) // "$0.0042"
 * @example dollars(12.3456) // "$12.35"
 */
export function dollars(amount: number): string {
  const digits = amount > 0 && amount < 1 ? Math.min(12, 2 - Math.floor(Math.log10(amount))) : 2;
  return `$${amount.toFixed(digits).replace(/(\.\d\d+?)0+$/, "$1")}`;
}

/**
 * An estimate with its interval, or why there is none.
 *
 * @example estimate3({ value: 0.716, low: 0.69, high: 0.7412 }) // "0.716 [0.690, 0.741]"
 */
export function estimate3(estimate: Estimate): string {
  if (estimate.value !== null) return estimateText(estimate);
  return estimate.reason === undefined ? "undefined" : `undefined (${estimate.reason})`;
}

/**
 * A time span as a person would say it, to two units.
 *
 * @example duration(125) // "2 min 5 s"
 */
export function duration(seconds: number): string {
  if (seconds < 1) return "under 1 s";
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [large, small, size] = whole < 3600 ? ["min", "s", 60] : ["h", "min", 3600];
  const rest = Math.floor((whole % size) / (size / 60));
  return `${Math.floor(whole / size)} ${large}${rest === 0 ? "" : ` ${rest} ${small}`}`;
}
