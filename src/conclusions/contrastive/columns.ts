import { numeric, optionalText, text } from "../../tables/columns.js";
import type { Tells } from "../../tables/shapes.js";
import { drawKindsWithProbability } from "../draw-columns.js";
import { pairReader, pairsSideBySide } from "../pair-columns.js";

const sides = ["correct", "adversarial"] as const;

export const readPairs = pairReader(
  { id: text, domain: text, prompt: optionalText, ...drawKindsWithProbability },
  sides,
);

export const tells: Tells = {
  columns: { id: text, metric: text, domain: text, correct: numeric, adversarial: numeric },
  sideBySide: pairsSideBySide(sides),
};
