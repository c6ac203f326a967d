import { InputError } from "../../core/errors.js";
import type { RowFilter } from "../../tables/row-filters.js";

/**
 * Reads what was given for --where, each `COLUMN=VALUE` or `COLUMN!=VALUE`.
 *
 * @throws InputError for another form.
 */
export const parseWhere = (texts: readonly string[]): RowFilter[] =>
  texts.map((text) => {
    const [, column, isNot, value] = /^([^=!]+)(!?)=(.*)$/.exec(text) ?? [];
    if (column === undefined || value === undefined) {
      throw new InputError(`Expected COLUMN=VALUE for --where but received "${text}"`, {
        hint: "Such as --where split=test, or --where 'split!=train'",
      });
    }
    return { column: column.trim(), value: value.trim(), isNot: isNot === "!" };
  });
