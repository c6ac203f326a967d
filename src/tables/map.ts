import { InputError } from "../core/errors.js";

/**
 * Reads what was given for --map, each `NAME=COLUMN`: the column NAME is called COLUMN in the table.
 *
 * @throws InputError for another form, and for a name given twice.
 */
export function parseMap(texts: readonly string[]): Record<string, string> {
  const map = new Map<string, string>();
  for (const text of texts) {
    const [, name, column] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || column === undefined) {
      throw new InputError(`Expected NAME=COLUMN for --map but received "${text}"`, {
        hint: "Such as --map correct=my_column",
      });
    }
    if (map.has(name)) throw new InputError(`Expected --map ${name}= once but received it twice`);
    map.set(name, column);
  }
  return Object.fromEntries(map);
}
