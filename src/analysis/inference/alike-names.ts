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
