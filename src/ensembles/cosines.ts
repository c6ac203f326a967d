/**
 * The cosines of one direction with several centroids, four of them at a time: one sum alone would wait
 * for itself. Each sum goes from the first dimension on.
 *
 * @param points rows x dimensions, each of length 1.
 * @param start where the direction begins among them.
 * @param centroids clusters x dimensions, each of length 1.
 * @param into one for each centroid, from `to` on.
 * @param which of the centroids; the others' places in `into` stay as they are.
 */
export function cosines(
  points: Float64Array,
  start: number,
  centroids: Float64Array,
  dimensions: number,
  into: Float64Array,
  to: number,
  which: Int32Array,
): void {
  const last = which.length - 1;
  for (let place = 0; place <= last; place += 4) {
    // The last of what is left over at the end is done more than once.
    const first = which[place] ?? 0;
    const second = which[Math.min(place + 1, last)] ?? 0;
    const third = which[Math.min(place + 2, last)] ?? 0;
    const fourth = which[Math.min(place + 3, last)] ?? 0;
    let a = first * dimensions;
    let b = second * dimensions;
    let c = third * dimensions;
    let d = fourth * dimensions;
    let ofFirst = 0;
    let ofSecond = 0;
    let ofThird = 0;
    let ofFourth = 0;
    for (let at = start; at < start + dimensions; at++) {
      const value = points[at] ?? 0;
      ofFirst += value * (centroids[a++] ?? 0);
      ofSecond += value * (centroids[b++] ?? 0);
      ofThird += value * (centroids[c++] ?? 0);
      ofFourth += value * (centroids[d++] ?? 0);
    }
    into[to + first] = ofFirst;
    into[to + second] = ofSecond;
    into[to + third] = ofThird;
    into[to + fourth] = ofFourth;
  }
}
