import { largestOf } from "../core/arrays.js";
import { decimalExponent } from "../stats/elementary/powers.js";
import { fixedText } from "./number-text.js";

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
