import { InputError } from "../../core/errors.js";
import type { StudyItem } from "../study.js";
import type { TableCell } from "./protocol.js";

/** A column beside an item, as text; undefined where it is missing or empty. */
export function besideText(item: Pick<StudyItem, "beside">, column: string): string | undefined {
  const value = item.beside[column];
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

/** The columns beside an item that a table can hold in a cell. */
export function besideCells(item: StudyItem): Record<string, TableCell> {
  return Object.fromEntries(
    Object.entries(item.beside).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || value === null
        ? [[name, value]]
        : [],
    ),
  );
}

/**
 * A column beside an item, as text.
 *
 * @throws InputError where it is missing or empty.
 */
export function requiredBeside(item: StudyItem, column: string): string {
  const value = besideText(item, column);
  if (value !== undefined) return value;
  throw new InputError(
    `Expected a column ${column} beside the study's items but ${item.id} has none`,
    { hint: `Add the column ${column} to the block's table and create the study anew.` },
  );
}
