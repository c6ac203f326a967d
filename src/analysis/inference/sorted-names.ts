import { decimalNumber } from "../../core/read-json.js";

/**
 * The distinct ones of some names: by size where all are numbers, else by their characters, so that
 * no order of rows and no country's alphabet changes it.
 *
 * @example inOrder(["10", "9", "10"]) // ["9", "10"]
 */
export function inOrder(names: Iterable<string>): string[] {
  const distinct = [...new Set(names)];
  return Array.from(orderOf(distinct), (at) => distinct[at] ?? "");
}

/** Places of distinct names in that order. */
export function orderOf(names: readonly string[]): Int32Array {
  const places = Int32Array.from(names, (_, at) => at);
  const isNumber = (name: string) => Number.isFinite(decimalNumber(name.trim()));
  if (names.every(isNumber)) {
    const sizes = Float64Array.from(names, Number);
    return places.sort((a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0));
  }
  return places.sort((a, b) => ((names[a] ?? "") < (names[b] ?? "") ? -1 : 1));
}

/**
 * Names that differ in nothing but capitals, spaces, how accents are written, signs that can't be seen and the zeros
 * of a whole number (001, 1, 1.0), as a list for each such set; what people take for one name.
 *
 * @example alikeNames(["red", "Red ", "blue"]) // [["Red ", "red"]]
 */
export function alikeNames(names: Iterable<string>): string[][] {
  const spellings = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const shown = name
      .normalize("NFKC")
      .replace(/\p{Cf}/gu, "")
      .trim()
      .replace(/\s+/g, " ");
    const whole = /^(\d+)(?:\.0+)?$/.exec(shown)?.[1];
    const read = (whole?.replace(/^0+(?=\d)/, "") ?? shown).toLowerCase();
    const alike = spellings.get(read);
    if (alike === undefined) spellings.set(read, [name]);
    else alike.push(name);
  }
  const found = [...spellings.values()].filter((alike) => alike.length > 1);
  return found.map((alike) => alike.sort()).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}
