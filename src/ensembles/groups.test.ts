import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { normaliseRows, pairEmbedding, softMembership } from "./membership.js";
import { sphericalKMeans } from "./spherical-k-means.js";

/** Points around axes of a space, `each` of every axis, some long, some short. */
function around(axes: number, each: number, dimensions: number) {
  const random = randomFrom("around", axes, each);
  const points = new Float64Array(axes * each * dimensions);
  for (let row = 0; row < axes * each; row++) {
    const length = random.between(0.1, 30);
    for (let at = 0; at < dimensions; at++) {
      const centre = at === row % axes ? 1 : 0;
      points[row * dimensions + at] = length * (centre + random.between(-0.1, 0.1));
    }
  }
  return { points, dimensions };
}

test("finds directions that lie apart, whatever their lengths", () => {
  const found = sphericalKMeans({ ...around(4, 25, 6), clusters: 4, random: randomFrom(0) });
  expect(found.converged).toBe(true);
  const names = [0, 1, 2, 3].map((axis) => found.assignment[axis]);
  expect(new Set(names).size).toBe(4);
  found.assignment.forEach((cluster, row) => {
    expect(cluster).toBe(names[row % 4]);
  });
  expect(found.cohesion).toBeGreaterThan(0.97);
  for (let cluster = 0; cluster < 4; cluster++) {
    const centroid = found.centroids.subarray(cluster * 6, cluster * 6 + 6);
    expect(Math.hypot(...centroid)).toBeCloseTo(1, 12);
  }
});

test("the same stream gives the same groups, and no group is empty", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 0, max: 20 }),
      fc.integer(),
      (clusters, more, seed) => {
        const random = randomFrom("points", seed);
        const rows = clusters + more;
        const points = Float64Array.from({ length: rows * 3 }, () => random.between(-1, 1));
        const run = () =>
          sphericalKMeans({ points, dimensions: 3, clusters, random: randomFrom(seed) });
        const found = run();
        expect(run()).toEqual(found);
        expect(new Set(found.assignment).size).toBe(clusters);
      },
    ),
  );
});

test("more restarts never hold together less, and iterations are kept", () => {
  const { points, dimensions } = around(5, 6, 5);
  const run = (restarts: number, iterations?: number) =>
    sphericalKMeans({
      points,
      dimensions,
      clusters: 7,
      restarts,
      random: randomFrom("restarts"),
      ...(iterations === undefined ? {} : { iterations }),
    });
  expect(run(5).cohesion).toBeGreaterThanOrEqual(run(1).cohesion);
  expect(run(1, 1)).toMatchObject({ iterations: 1, converged: false });
});

test("equal points, and one without a direction, end in rest", () => {
  const points = Float64Array.from([1, 0, 1, 0, 1, 0, 0, 0]);
  const found = sphericalKMeans({ points, dimensions: 2, clusters: 3, random: randomFrom(1) });
  expect(found.converged).toBe(true);
  expect([...found.centroids].every(Number.isFinite)).toBe(true);
});

test("more clusters than points are refused", () => {
  const points = Float64Array.of(1, 0);
  expect(() =>
    sphericalKMeans({ points, dimensions: 2, clusters: 2, random: randomFrom(0) }),
  ).toThrow("from 1 to 1 clusters of 1 points but received 2");
});

test("membership is the softmax of cosine over temperature", () => {
  const centroids = Float64Array.of(1, 0, 0, 1);
  const of = (points: readonly number[], temperature: number) => [
    ...softMembership({
      points: Float64Array.from(points),
      centroids,
      dimensions: 2,
      temperature,
    }),
  ];
  const [first = 0, second = 0] = of([3, 4], 0.5);
  expect(first / second).toBeCloseTo(Math.exp((0.6 - 0.8) / 0.5), 12);
  expect(first + second).toBeCloseTo(1, 12);
  expect(of([3, 4], 1e-4)).toEqual([0, 1].map((share) => expect.closeTo(share, 12)));
  expect(of([0, 0], 0.1)).toEqual([0.5, 0.5]);
  expect(() => of([1, 0], 0)).toThrow("Expected a positive number for temperature");
});

test("a pair is the mean direction of its images, in either order", () => {
  const pair = [...pairEmbedding([2, 0], [0, 5])];
  expect(pair).toEqual([Math.SQRT1_2, Math.SQRT1_2].map((at) => expect.closeTo(at, 12)));
  expect([...pairEmbedding([0, 5], [2, 0])]).toEqual(pair);
  expect([...pairEmbedding([1, 0], [-1, 0])]).toEqual([0, 0]);
  expect(() => pairEmbedding([1], [1, 2])).toThrow("1 and 2 numbers");
});

test("lengths beyond what squares hold are made 1, too", () => {
  expect([...normaliseRows(Float64Array.of(3e200, 4e200, 3e-200, 4e-200), 2)]).toEqual(
    [0.6, 0.8, 0.6, 0.8].map((at) => expect.closeTo(at, 12)),
  );
});
