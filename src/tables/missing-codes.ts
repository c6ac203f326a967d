/** Numbers that questionnaires write where nobody answered: SPSS, Qualtrics, national surveys; -1 is a program's. */
const codes: ReadonlySet<number> = new Set([
  ...[9, 99, 999, 9999, 99_999].flatMap((nines) => [nines, -nines]),
  ...[77, 88, 98, 777, 888, 998, -1, -77, -88, -98],
]);

/** Fewer different numbers beside 0 are steps of a scale, or don't show how far they lie apart. */
const fewest = 3;

/**
 * Says which numbers of a column may mean that nobody answered: a usual code that lies further from all other values
 * than these lie from each other, a scale beginning at 1 or below, a -1 where all others are above 0, or a few exact
 * 0 further from all others than these lie from each other, where 0 is no step or end of a scale: whole numbers, few
 * different ones, and those up to 1 have it. Undefined where there is none.
 *
 * @param values NaN where there is none
 * @example missingCodes("rating", [1, 5, 3, 99]) // "rating has 99 in 1 row, far from …"
 */
export function missingCodes(column: string, values: ArrayLike<number>): string | undefined {
  const found = new Map<number, number>();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [zeros, others, lowBeside, areWhole] = [0, 0, Number.POSITIVE_INFINITY, true];
  const different = new Set<number>();
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const isOrdinary = value > -1 && value < 9;
    if (!isOrdinary && codes.has(value)) found.set(value, (found.get(value) ?? 0) + 1);
    else {
      if (value < low) low = value;
      if (value > high) high = value;
      if (value === 0) zeros += 1;
      else {
        others += 1;
        if (value < lowBeside) lowBeside = value;
        if (different.size < fewest) different.add(value);
        areWhole &&= Number.isInteger(value);
      }
    }
  }
  // Of one other value nobody can tell how far they lie apart.
  if (!(high > low)) return undefined;
  const far = [...found].filter(([code]) => {
    if (code === -1) return low > 0;
    // Ratings from 1 to 10 may be 6, 7 and 9.
    return code > high ? code - high >= high - Math.min(low, 1) : low - code >= high - low;
  });
  // What is 0 in many rows is a score; a code that is none is a value beside it.
  const isFar = low === 0 && lowBeside > high - lowBeside && far.length === found.size;
  const isOfScale = areWhole || high === 1 || different.size < fewest;
  if (isFar && !isOfScale && others >= 2 * zeros) {
    far.push([0, zeros]);
    low = lowBeside;
  }
  if (far.length === 0) return undefined;
  const named = far.map(([code, rows]) => `${code} in ${rows} ${rows === 1 ? "row" : "rows"}`);
  return (
    `${column} has ${named.join(" and ")}, far from its other values (${low} to ${high}); ` +
    `where it means no answer: --unscored=${far.map(([code]) => code).join(",")}`
  );
}
