import { scorePairText } from "../../../src/views/number-text.js";

export { countText, pluralText } from "../../../src/views/number-text.js";

/** A score as the report prints it: three significant figures. */
export const scoreText = (value: number): string => scorePairText({ value }, { value })[0];
