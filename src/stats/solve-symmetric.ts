/**
 * Solves A x = b for a symmetric, positive definite A by Cholesky's decomposition (Golub and Van Loan,
 * "Matrix Computations", 4.2).
 *
 * @param matrix A, row by row.
 * @returns undefined where A is not positive definite in double precision.
 * @example solveSymmetric([4, 2, 2, 3], [2, 5]) // Float64Array [-0.5, 2]
 */
export function solveSymmetric(
  matrix: ArrayLike<number>,
  right: ArrayLike<number>,
): Float64Array | undefined {
  const size = right.length;
  const lower = new Float64Array(size * size);
  const at = (row: number, column: number) => lower[row * size + column] ?? 0;
  for (let row = 0; row < size; row++) {
    const own = row * size;
    for (let column = 0; column <= row; column++) {
      const other = column * size;
      let rest = matrix[own + column] ?? 0;
      for (let each = 0; each < column; each++)
        rest -= (lower[own + each] ?? 0) * (lower[other + each] ?? 0);
      if (row === column && !(rest > 0)) return undefined;
      lower[row * size + column] = row === column ? Math.sqrt(rest) : rest / at(column, column);
    }
  }
  const solved = Float64Array.from(right);
  for (let row = 0; row < size; row++) {
    for (let each = 0; each < row; each++)
      solved[row] = (solved[row] ?? 0) - at(row, each) * (solved[each] ?? 0);
    solved[row] = (solved[row] ?? 0) / at(row, row);
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let each = row + 1; each < size; each++)
      solved[row] = (solved[row] ?? 0) - at(each, row) * (solved[each] ?? 0);
    solved[row] = (solved[row] ?? 0) / at(row, row);
  }
  return solved;
}
