/** Seconds since 1970 from September 2001 to 2099. */
const [first, last] = [1e9, 4.1e9];

/**
 * Says that the numbers of a column are times, not scores: all are whole seconds or milliseconds since 1970, of the
 * years 2001 to 2099. Undefined where they are not.
 *
 * @param values NaN where there is none
 */
export function timesAsNumbers(column: string, values: Iterable<number>): string | undefined {
  let example: number | undefined;
  let perSecond: number | undefined;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    perSecond ??= value < 1000 * first ? 1 : 1000;
    const seconds = value / perSecond;
    if (!Number.isInteger(value) || seconds < first || seconds >= last) return undefined;
    example ??= value;
  }
  if (example === undefined || perSecond === undefined) return undefined;
  const day = new Date((1000 * example) / perSecond).toISOString().slice(0, 10);
  return `${column} has times in place of scores: ${example} is ${day}; name the column of scores`;
}
