import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { cosines } from "./membership.js";

test("any number of centroids, and those alone that are asked for", () => {
  const random = randomFrom("cosines");
  const dimensions = 3;
  const points = Float64Array.from({ length: 4 * dimensions }, () => random.between(-1, 1));
  for (let clusters = 1; clusters <= 9; clusters++) {
    const centroids = Float64Array.from({ length: clusters * dimensions }, () =>
      random.between(-1, 1),
    );
    const which = Int32Array.from({ length: clusters }, (_, cluster) => cluster).filter(
      (cluster) => clusters < 6 || cluster % 3 !== 1,
    );
    const into = new Float64Array(clusters + 2).fill(7);
    cosines(points, 2 * dimensions, centroids, dimensions, into, 1, which);
    const expected = into.map((_, place) => {
      const cluster = place - 1;
      if (!which.includes(cluster)) return 7;
      const own = centroids.subarray(cluster * dimensions, (cluster + 1) * dimensions);
      return own.reduce((sum, value, at) => sum + value * (points[2 * dimensions + at] ?? 0), 0);
    });
    expect(into).toEqual(expected);
  }
});

test("none asked for, nothing written", () => {
  const into = Float64Array.of(1, 2);
  cosines(Float64Array.of(1), 0, Float64Array.of(1, 1), 1, into, 0, new Int32Array());
  expect(into).toEqual(Float64Array.of(1, 2));
});
