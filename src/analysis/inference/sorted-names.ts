import { decimalNumber } from "../../core/read-json.js";

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

/**
 * Names that differ in nothing but capitals, spaces and how accents are written, as a list for each
 * such set; what people take for one name.
 *
 * @example alikeNames(["red", "Red ", "blue"]) // [["Red ", "red"]]
 */
export function alikeNames(names: Iterable<string>): string[][] {
  const spellings = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const read = name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
    const alike = spellings.get(read);
    if (alike === undefined) spellings.set(read, [name]);
    else alike.push(name);
  }
  return [...spellings.values()].filter((alike) => alike.length > 1).map((alike) => alike.sort());
}
