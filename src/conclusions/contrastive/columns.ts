import { numeric, optionalText, text } from "../../tables/columns.js";
import type { Tells } from "../../tables/shapes.js";
import { pairReader } from "../pair-columns.js";

export const readPairs = pairReader({ id: text, domain: text, prompt: optionalText }, [
  "correct",
  "adversarial",
]);

export const tells: Tells = {
  columns: { id: text, metric: text, domain: text, correct: numeric, adversarial: numeric },
};
