import { fewestToTell } from "../analysis/inference/few-clusters.js";
import { largestOf } from "../core/arrays.js";
import { pluralText } from "../core/phrases.js";
import { decimalExponent } from "../stats/elementary/powers.js";
import type { Estimate } from "../stats/estimate.js";

export { countText, pluralText } from "../core/phrases.js";

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
    largest === 0 ? 2 : Math.min(6, Math.max(0, 2 - decimalExponent(largest))),
  );
}

/**
 * A share (0 to 1) or a difference of shares in percent, one decimal. Where resamples have no
 * spread, the one-sided bounds stand in place of the interval: "0.0 (up to 1.0)"; see `boundNote`.
 *
 * @example percentText({ value: 0.3124, low: 0.27, high: 0.35 }) // "31.2 [27.0, 35.0]"
 */
export function percentText({ value, low, high, oneSided }: Estimate): string {
  if (value !== null && oneSided !== undefined) {
    return `${fixedText(value * 100, 1)} (${boundText(value, oneSided, (end) => fixedText(end * 100, 1))})`;
  }
  const inPercent = (share: number | null) => (share === null ? null : share * 100);
  const scaled = { value: inPercent(value), low: inPercent(low), high: inPercent(high) };
  return intervalText(scaled, () => 1);
}

/** How far the truth may be from a share that is 0 or 1: "up to 1.0". */
function boundText(
  value: number,
  { low, high }: NonNullable<Estimate["oneSided"]>,
  text: (end: number) => string,
): string {
  const [from, to] = [text(low), text(high)];
  if (value === low) return `up to ${to}`;
  return value === high ? `down to ${from}` : `${from} to ${to}`;
}

/** How the bounds that `percentText` prints are made, for whoever reads a table or plot. */
export const boundNote =
  "In parentheses, where no pair or every pair fails: the one-sided 95 % bound in place of an interval, " +
  "1 − 0.05^(1/n) from the end for n prompts (rows, where no prompt is named).";

/** The same in short, for a text that shows such bounds and no note on them; else "". */
export const briefBoundNote = (text: string): string =>
  /\((?:up|down) to /.test(text) && !text.includes("one-sided")
    ? " In parentheses, where a share is 0 or 100 %: a one-sided 95 % bound."
    : "";

/** The same for a table that has averages of domains, too. */
export const boundNoteWithMeans = `${boundNote} Of a mean of domains, n is the fewest of a domain times their number.`;

/**
 * A share in a sentence: the sign stands after the value, and of none and of all a bound says how
 * far that can be trusted.
 *
 * @example spokenPercent({ value: 0.3124, low: 0.27, high: 0.35 }) // "31.2 % [27.0, 35.0]"
 * @example spokenPercent({ value: 0, low: 0, high: 0, oneSided: { low: 0, high: 0.00994 } })
 * // "none (at most 1.0 % at 95 % confidence)"
 */
export const spokenPercent = (share: Estimate): string => `${amountText(share)}${atMost(share)}`;

/** @example spokenShare(share, "40 rows") // "none of 40 rows (at most 7.2 % at 95 % confidence)" */
export const spokenShare = (share: Estimate, whole: string): string =>
  `${amountText(share)} of ${whole}${atMost(share)}`;

function amountText({ value, low, high }: Estimate): string {
  if (value === null) return "an undefined share";
  if (value === 0) return "none";
  if (value === 1) return "all";
  const text = (share: number) => fixedText(share * 100, 1);
  const bounds = low === null || high === null ? "" : ` [${text(low)}, ${text(high)}]`;
  return `${text(value)} %${bounds}`;
}

function atMost({ value, oneSided }: Estimate): string {
  if (oneSided === undefined) return "";
  const [words, end] = value === 0 ? ["at most", oneSided.high] : ["at least", oneSided.low];
  return ` (${words} ${fixedText(end * 100, 1)} % at 95 % confidence)`;
}

function intervalText(estimate: Estimate, decimalsFor: (largest: number) => number): string {
  const { value, low, high } = estimate;
  if (value === null) return "–";
  const decimals = decimalsFor(largestOf([value, low ?? 0, high ?? 0].map(Math.abs)));
  const text = (number: number) => fixedText(number, decimals);
  return low === null || high === null
    ? text(value)
    : `${text(value)} [${text(low)}, ${text(high)}]`;
}

/**
 * A p-value: three decimals, a fourth where they would read 0.050, below that only how far. "–" where there is none.
 *
 * @example probabilityText(0.00002) // "<0.001"
 */
export function probabilityText(p: number | null): string {
  if (p === null) return "–";
  if (p < 0.001) return "<0.001";
  const text = p.toFixed(3);
  return text === "0.050" ? p.toFixed(4) : text;
}

/**
 * Why nothing is claimed of so few, whatever their interval.
 *
 * @example tooFewText(3, "query", "queries") // "3 queries are too few; it takes 6"
 */
export const tooFewText = (count: number, one: string, several = `${one}s`): string =>
  `${pluralText(count, one, several)} ${count === 1 ? "is" : "are"} too few; it takes ${fewestToTell}`;

/** The size of a file as people say it. @example sizeText(2_345_678) // "2.3 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** One score of a card: null where there is no answer. */
interface ShownScore {
  readonly value: number | null;
  readonly reason?: string;
}

const mostDecimals = 9;

/**
 * Two scores as a card prints them: three significant figures of the larger, and more where two
 * different scores would look the same, unless they count as a tie.
 *
 * @example scorePairText({ value: 0.71234 }, { value: 0.71236 }) // ["0.7123", "0.7124"]
 */
export function scorePairText(
  first: ShownScore,
  second: ShownScore,
  { isTie = false }: { readonly isTie?: boolean } = {},
): [first: string, second: string] {
  const values = [first.value, second.value].filter((value) => value !== null);
  const largest = Math.max(0, largestOf(values.map(Math.abs)));
  let decimals = largest === 0 ? 2 : Math.max(0, 2 - decimalExponent(largest));
  const text = ({ value, reason }: ShownScore) =>
    value === null ? (reason ?? "unscored") : notQuiteZero(value, decimals);
  while (
    !isTie &&
    first.value !== null &&
    second.value !== null &&
    first.value !== second.value &&
    decimals < mostDecimals &&
    text(first) === text(second)
  ) {
    decimals += 1;
  }
  return [text(first), text(second)];
}

/** A score that is above 0 is not printed as one that is 0. */
function notQuiteZero(value: number, decimals: number): string {
  const least = Number(`1e-${decimals}`);
  return value > 0 && value < least / 2
    ? `<${fixedText(least, decimals)}`
    : fixedText(value, decimals);
}
