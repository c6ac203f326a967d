/**
 * A name that is too long by its end, which tells one metric's step from another's.
 *
 * @example nameEnd("score-images-clip-score", 12) // "…-clip-score"
 */
export const nameEnd = (name: string, width: number): string =>
  name.length > width ? `…${name.slice(1 - width)}` : name;
