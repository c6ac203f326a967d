/**
 * Rearranges numbers so that the one at `place` is the one that sorting would put there, with none larger
 * before it and none smaller behind. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961); the
 * middle one of three is what others are compared with.
 *
 * @param values without NaN.
 * @param place in [0, values.length).
 * @example
 * const values = Float64Array.of(3, 1, 2);
 * select(values, 1);
 * values[1] // 2
 */
export function select(values: Float64Array, place: number): void {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = middleOf(values[low] ?? 0, values[(low + high) >>> 1] ?? 0, values[high] ?? 0);
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++;
      while ((values[right] ?? 0) > pivot) right--;
      if (left > right) break;
      const one = values[left] ?? 0;
      values[left++] = values[right] ?? 0;
      values[right--] = one;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else return;
  }
}

const middleOf = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
