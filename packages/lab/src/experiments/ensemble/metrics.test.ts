import fc from "fast-check";
import {
  calibrationMeasured,
  calibrationStatistics,
} from "touchstone-t2i/internal/analysis/calibration/calibration-measures.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { errorCoverage } from "touchstone-t2i/internal/stats/calibration-error.js";
import { expect, test } from "vitest";
import { curvePoints, experimentMeasures, experimentMetrics } from "./metrics.js";

function both(labels: number[], probabilities: number[]) {
  const into = new Float64Array(experimentMetrics.length + 2).fill(-7);
  const curve = new Float64Array(curvePoints);
  const measure = experimentMeasures(Uint8Array.from(labels));
  // Measured twice: what the first leaves behind must not show in the second.
  measure(
    Float64Array.from(probabilities, (p) => 1 - p),
    into,
    1,
    curve,
  );
  measure(Float64Array.from(probabilities), into, 1, curve);
  const values = calibrationMeasured(Float64Array.from(labels), Float64Array.from(probabilities), {
    binning: "equal-width",
    count: 10,
  })();
  return {
    into,
    curve,
    expected: (name: string) => values[calibrationStatistics.indexOf(name as "ece")],
  };
}

function agree(labels: number[], probabilities: number[]) {
  const { into, curve, expected } = both(labels, probabilities);
  experimentMetrics.forEach((name, at) => {
    const value = into[at + 1] ?? 0;
    if (name === "confidence") {
      const sum = probabilities.reduce((all, p) => all + Math.max(p, 1 - p), 0);
      expect(value).toBeCloseTo(sum / labels.length, 12);
      return;
    }
    const should = expected(name) ?? Number.NaN;
    if (Number.isNaN(should)) expect(value, name).toBeNaN();
    else expect(value, name).toBeCloseTo(should, 10);
  });
  expect([into[0], into.at(-1)]).toEqual([-7, -7]);
  const steps = errorCoverage(labels, probabilities);
  curve.forEach((error, at) => {
    const reached = steps.find(
      ({ coverage }) =>
        Math.round(coverage * labels.length) * curvePoints >= (at + 1) * labels.length,
    );
    expect(error).toBeCloseTo(reached?.error ?? Number.NaN, 12);
  });
}

test("agrees with the statistics, ties and edges of bins included", () => {
  const probability = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.constantFrom(0, 1, 0.5, 0.1, 0.7, 0.3, 1e-16, 1 - 1e-16, 0.49999999999999994),
    fc.integer({ min: 0, max: 20 }).map((n) => n / 20),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), probability), {
        minLength: 1,
        maxLength: 90,
      }),
      (rows) => {
        agree(
          rows.map(([label]) => label),
          rows.map(([, p]) => p),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test("agrees on thousands of rows that all lie in a few buckets", () => {
  const random = randomFrom(1, "crowded");
  const rows = 3000;
  const labels = Array.from({ length: rows }, () => (random.chance(0.7) ? 1 : 0));
  agree(
    labels,
    labels.map(() => 0.9 + random.next() * 1e-5),
  );
  agree(
    labels,
    labels.map((label) => 0.5 + (label - 0.6) * random.next() * 0.8),
  );
});
