/** Seconds since 1970 from September 2001 to 2099. */
const [first, last] = [1e9, 4.1e9];
/** Times of one table lie within these seconds, 20 years; random seeds of 32 bits hardly do. */
const longest = 6.3e8;

/**
 * Says that the numbers of a column are times, not scores: all are whole seconds or milliseconds since 1970, of the
 * years 2001 to 2099 and within 20 years, and not all the same, as a seed may be. Undefined where they are not.
 *
 * @param values NaN where there is none
 */
export function timesAsNumbers(column: string, values: ArrayLike<number>): string | undefined {
  let example: number | undefined;
  let perSecond: number | undefined;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    perSecond ??= value < 1000 * first ? 1 : 1000;
    const seconds = value / perSecond;
    if (!Number.isInteger(value) || seconds < first || seconds >= last) return undefined;
    example ??= value;
    if (seconds < low) low = seconds;
    if (seconds > high) high = seconds;
  }
  if (!(high > low && high - low < longest)) return undefined;
  if (example === undefined || perSecond === undefined) return undefined;
  const day = new Date((1000 * example) / perSecond).toISOString().slice(0, 10);
  return `${column} has times in place of scores: ${example} is ${day}; name the column of scores`;
}
