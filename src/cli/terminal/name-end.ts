/**
 * A name that is too long by its end, which tells one metric's step from another's: its last whole words,
 * where one fits.
 *
 * @example nameEnd("score-images-clip-score", 12) // "…-clip-score"
 * @example nameEnd("Painting people (lab:painter)", 18) // "… (lab:painter)"
 */
export const nameEnd = (name: string, width: number): string =>
  name.length > width ? `…${name.slice(1 - width).replace(/^\S* (?=\S)/, " ")}` : name;
