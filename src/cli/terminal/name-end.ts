/**
 * A name that is too long by its end, which tells one metric's step from another's: its last whole words,
 * where one fits.
 *
 * @example nameEnd("score-images-clip-score", 12) // "…-clip-score"
 * @example nameEnd("Painting people (lab:painter)", 18) // "… (lab:painter)"
 */
export const nameEnd = (name: string, width: number): string =>
  name.length > width ? `…${name.slice(1 - width).replace(/^\S* (?=\S)/, " ")}` : name;

/**
 * Names of steps as far as there is room: their ends, or, where these would be alike, what follows the
 * words that all begin with.
 *
 * @param others columns of the terminal that results take beside them; names take 24 to 38 of the rest
 */
export function stepNames(names: readonly string[], width: number, others: number): string[] {
  const room = Math.min(38, Math.max(24, width - others));
  const ends = names.map((name) => nameEnd(name, room));
  return names.map((name, at) => {
    const alike = names.filter((_, other) => ends[other] === ends[at]);
    if (alike.length === 1) return ends[at] ?? name;
    let same = 0;
    while (alike.every((each) => each[same] === name[same])) same++;
    const start = name.lastIndexOf("-", same) + 1;
    return `…${name.slice(start, start + room - 2)}…`;
  });
}
