import type { Estimate } from "../stats/estimate.js";

/** Thousands are set apart: 1800 -> "1,800". */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** One of something, several of others. @example pluralText(1, "triplet") // "1 triplet" */
export function pluralText(count: number, one: string, several = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : several}`;
}

/** With a real minus sign and without "-0". */
export function fixedText(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * Value and interval with three significant figures of the largest of the three; all share
 * its decimals. "–" where the estimate is undefined.
 *
 * @example estimateText({ value: 0.0712, low: 0.06, high: 0.081 }) // "0.0712 [0.0600, 0.0810]"
 */
export function estimateText(estimate: Estimate): string {
  return intervalText(estimate, (largest) =>
    largest === 0 ? 2 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(largest)))),
  );
}

/**
 * A share (0 to 1) or a difference of shares in percent, one decimal.
 *
 * @example percentText({ value: 0.3124, low: 0.27, high: 0.35 }) // "31.2 [27.0, 35.0]"
 */
export function percentText({ value, low, high }: Estimate): string {
  const inPercent = (share: number | null) => (share === null ? null : share * 100);
  const scaled = { value: inPercent(value), low: inPercent(low), high: inPercent(high) };
  return intervalText(scaled, () => 1);
}

/**
 * The same for a sentence: the sign stands after the value.
 *
 * @example spokenPercent({ value: 0.3124, low: 0.27, high: 0.35 }) // "31.2 % [27.0, 35.0]"
 */
export function spokenPercent({ value, low, high }: Estimate): string {
  if (value === null) return "an undefined share";
  const text = (share: number) => fixedText(share * 100, 1);
  const bounds = low === null || high === null ? "" : ` [${text(low)}, ${text(high)}]`;
  return `${text(value)} %${bounds}`;
}

function intervalText(estimate: Estimate, decimalsFor: (largest: number) => number): string {
  const { value, low, high } = estimate;
  if (value === null) return "–";
  const decimals = decimalsFor(Math.max(...[value, low ?? 0, high ?? 0].map(Math.abs)));
  const text = (number: number) => fixedText(number, decimals);
  return low === null || high === null
    ? text(value)
    : `${text(value)} [${text(low)}, ${text(high)}]`;
}

/** The size of a file as people say it. @example sizeText(2_345_678) // "2.3 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * A p-value: three decimals, below that only how far. "–" where there is none.
 *
 * @example probabilityText(0.00002) // "<0.001"
 */
export function probabilityText(p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}
