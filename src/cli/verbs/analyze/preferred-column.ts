import { type ColumnKind, isNotAvailable, oneOf, optionalText } from "../../../tables/columns.js";

const outcomes = oneOf(["a", "b", "tie"]);

/** Which of two images somebody preferred, in upper case or lower; null where nobody answered. */
export const preferred: ColumnKind<"a" | "b" | "tie" | null> = {
  isRequired: true,
  read(cell, about) {
    const said = optionalText.read(cell, about);
    if ("expected" in said) return { expected: "a, b, tie or nothing" };
    if (said.value === undefined || isNotAvailable(said.value.trim())) return { value: null };
    const read = outcomes.read(said.value.trim().toLowerCase(), about);
    return "value" in read ? read : { expected: "a, b, tie or nothing" };
  },
};
