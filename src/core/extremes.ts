/**
 * The largest of any number of values: `Math.max(...values)` ends a command at about 125,000.
 *
 * @returns -Infinity where there is none, NaN where one is NaN.
 * @example largestOf([0.2, 0.7]) // 0.7
 */
export function largestOf(values: Iterable<number>): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) largest = Math.max(largest, value);
  return largest;
}

/**
 * The smallest of any number of values.
 *
 * @returns Infinity where there is none, NaN where one is NaN.
 */
export function smallestOf(values: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (const value of values) smallest = Math.min(smallest, value);
  return smallest;
}
