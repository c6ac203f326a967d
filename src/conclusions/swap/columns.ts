import { numeric, optionalAnswer, optionalText, text } from "../../tables/columns.js";
import type { Tells } from "../../tables/shapes.js";
import { pairReader, pairsSideBySide } from "../pair-columns.js";

const sides = ["original", "swapped"] as const;

export const readPairs = pairReader(
  { id: text, prompt: optionalText, asDescribed: optionalAnswer },
  sides,
);

export const tells: Tells = {
  columns: { id: text, metric: text, original: numeric, swapped: numeric },
  sideBySide: pairsSideBySide(sides),
};
