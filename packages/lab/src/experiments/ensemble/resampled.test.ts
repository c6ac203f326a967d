import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { errorCoverage } from "touchstone-t2i/internal/stats/calibration-error.js";
import { expect, test } from "vitest";
import { curveCoverages, resampledCurve } from "./resampled.js";

test("each resample's points are those of the curve of the pairs that it drew", () => {
  const random = randomFrom(8, "coverage");
  const rows = 300;
  const labels = Uint8Array.from({ length: rows }, () => (random.chance(0.5) ? 1 : 0));
  // Few different confidences, so that many are equal.
  const prediction = Float64Array.from({ length: rows }, () => random.integer(30) / 29);
  const weights = [0, 1, 2].map((draw) =>
    Float64Array.from({ length: rows }, () => (draw === 0 ? 1 : random.integer(4))),
  );
  const errors = resampledCurve(labels, weights)(prediction);
  expect(errors).toHaveLength(curveCoverages.length);
  weights.forEach((weight, resample) => {
    const drawn = Array.from(weight, (times, row) => Array.from({ length: times }, () => row));
    const all = drawn.flat();
    const curve = errorCoverage(
      all.map((row) => labels[row] ?? 0),
      all.map((row) => prediction[row] ?? 0),
    );
    curveCoverages.forEach((coverage, point) => {
      const first = curve.find((one) => one.coverage >= coverage - 1e-12);
      expect(errors[point]?.[resample]).toBeCloseTo(first?.error ?? Number.NaN, 12);
    });
  });
});
