import { numeric, optionalText, text } from "../../tables/columns.js";
import type { Tells } from "../../tables/shapes.js";
import { pairReader } from "../pair-columns.js";

export const readPairs = pairReader({ id: text, prompt: optionalText }, ["original", "swapped"]);

export const tells: Tells = {
  columns: { id: text, metric: text, original: numeric, swapped: numeric },
};
