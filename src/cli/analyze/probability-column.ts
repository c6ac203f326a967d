import { type ColumnKind, score } from "../../files/table-columns.js";

/** A number from 0 to 1, or null where the cell is empty: nobody gave an answer. */
export const probability: ColumnKind<number | null> = {
  isRequired: true,
  read(cell, about) {
    const found = score.read(cell, about);
    const value = "value" in found ? found.value : undefined;
    return value === undefined || (value !== null && (value < 0 || value > 1))
      ? { expected: "a probability from 0 to 1 or nothing" }
      : { value };
  },
};
