/**
 * Pearson's correlation: sum of (x - mean x)(y - mean y) over the root of the product of both sums
 * of squares. Pearson, "Note on Regression and Inheritance in the Case of Two Parents" (1895).
 * Numbers are divided by the largest of their column first, so that no square overflows.
 *
 * @param weights how often each row counts; each once by default.
 * @returns a number in [-1, 1]; NaN where a column is constant.
 * @example pearson([1, 2, 3], [2, 4, 7]) // 0.9933992677987828
 */
export function pearson(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  const { mean: meanX, largest: largestX, varies: xVaries } = column(x, weights);
  const { mean: meanY, largest: largestY, varies: yVaries } = column(y, weights);
  if (!xVaries || !yVaries) return Number.NaN;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let row = 0; row < x.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    const dx = (x[row] ?? 0) / largestX - meanX;
    const dy = (y[row] ?? 0) / largestY - meanY;
    xx += weight * dx * dx;
    yy += weight * dy * dy;
    xy += weight * dx * dy;
  }
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}

/** The mean of a column in units of its largest number. */
function column(values: ArrayLike<number>, weights: ArrayLike<number> | undefined) {
  let largest = 0;
  let first: number | undefined;
  let varies = false;
  for (let row = 0; row < values.length; row++) {
    if (weights !== undefined && (weights[row] ?? 0) === 0) continue;
    const value = values[row] ?? 0;
    if (first === undefined) first = value;
    else if (value !== first) varies = true;
    const size = Math.abs(value);
    if (size > largest) largest = size;
  }
  let sum = 0;
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    const weight = weights === undefined ? 1 : (weights[row] ?? 0);
    sum += weight * ((values[row] ?? 0) / largest);
    count += weight;
  }
  return { mean: sum / count, largest, varies };
}
