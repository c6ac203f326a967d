import { decimalNumber } from "../../../core/decimal-number.js";
import type { RatingScale } from "../../../stats/krippendorff-alpha.js";
import { isBoolean, isNotAvailable, optionalText, type TextKind } from "../../../tables/columns.js";

/**
 * A number in whatever spelling is one category: 3, "3" and 3.0; true and false in any case, too. Other words stay
 * as they are.
 */
export function categoryName(text: string): string {
  const trimmed = text.trim();
  if (isBoolean(trimmed)) return trimmed.toLowerCase();
  return String(decimalNumber(trimmed) ?? trimmed);
}

/**
 * A column of ratings, which may be missing: of the categories, if there are such, on the scale. NA, n/a and
 * the like are missing ratings, as everywhere, unless the categories name them; where words are no numbers,
 * "none" is one of them.
 */
export function categoryColumn({
  scale,
  categories,
}: {
  readonly scale: RatingScale;
  readonly categories: readonly string[] | undefined;
}): TextKind<string | undefined> {
  const allowed = categories === undefined ? undefined : new Set(categories);
  return {
    isRequired: true,
    holds: "text",
    read(cell, about) {
      const found = optionalText.read(cell, about);
      if (!("value" in found) || found.value === undefined) return found;
      const value = categoryName(found.value);
      const isWord = scale === "nominal" && value.toLowerCase() === "none";
      if (isNotAvailable(value) && !isWord && !allowed?.has(value)) return { value: undefined };
      if (allowed !== undefined && !allowed.has(value)) {
        return { expected: `one of ${[...allowed].join(", ")}` };
      }
      return scale === "interval" && decimalNumber(value) === undefined
        ? { expected: "a number or nothing" }
        : { value };
    },
  };
}
