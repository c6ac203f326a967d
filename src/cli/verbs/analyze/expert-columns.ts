import { InputError } from "../../../core/errors.js";
import { answer, type ColumnKind } from "../../../tables/columns.js";

/**
 * The columns that were named for --experts, each once; none where it was not given.
 *
 * @param taken columns that mean something else.
 */
export function parseExperts(given: string | undefined, taken: readonly string[]): string[] {
  if (given === undefined) return [];
  const names = given.split(",").map((name) => name.trim());
  const isBad = names.includes("") || new Set(names).size < names.length;
  const clash = names.find((name) => name !== "expert" && taken.includes(name));
  if (isBad || clash !== undefined) {
    throw new InputError(
      clash === undefined
        ? `Expected different columns for --experts but received "${given}"`
        : `Expected columns with experts' answers for --experts but received "${clash}", which is another column`,
      { hint: "The columns with an expert's answers each, such as --experts anna,ben" },
    );
  }
  return names;
}

/** Columns of experts, whatever they are called. */
export const expertColumns = (
  names: readonly string[],
): Readonly<Record<string, ColumnKind<0 | 1 | null>>> =>
  Object.fromEntries(names.map((name) => [name, answer]));

/** The experts' answers in a row that was read with those columns. */
export const answersOf = (row: object, names: readonly string[]): (0 | 1 | null)[] => {
  const cells = new Map<string, unknown>(Object.entries(row));
  return names.map((name) => {
    const found = cells.get(name);
    return found === 0 || found === 1 ? found : null;
  });
};
