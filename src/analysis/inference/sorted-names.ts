import { decimalNumber } from "../../core/decimal-number.js";

/**
 * The distinct ones of some names: by size where all are numbers, else by their characters, so that
 * no order of rows and no country's alphabet changes it.
 *
 * @example inOrder(["10", "9", "10"]) // ["9", "10"]
 */
export function inOrder(names: Iterable<string>): string[] {
  const distinct = [...new Set(names)];
  const isNumber = (name: string) => Number.isFinite(decimalNumber(name.trim()));
  if (distinct.every(isNumber)) return distinct.sort((a, b) => Number(a) - Number(b));
  return distinct.sort((a, b) => (a < b ? -1 : 1));
}
