import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { pluralText } from "./number-text.js";

/**
 * Why nothing is claimed of so few, whatever their interval.
 *
 * @example tooFewText(3, "query", "queries") // "3 queries are too few: it takes 6"
 */
export const tooFewText = (count: number, one: string, several = `${one}s`): string =>
  `${pluralText(count, one, several)} ${count === 1 ? "is" : "are"} too few: it takes ${fewestToTell}`;
