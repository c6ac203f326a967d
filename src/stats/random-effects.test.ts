import { expect, it } from "vitest";
import { randomEffects } from "./random-effects.js";

/** Thirteen trials of BCG against tuberculosis: cases and others, vaccinated and not (metafor's dat.bcg). */
const trials = [
  [4, 119, 11, 128],
  [6, 300, 29, 274],
  [3, 228, 11, 209],
  [62, 13536, 248, 12619],
  [33, 5036, 47, 5761],
  [180, 1361, 372, 1079],
  [8, 2537, 10, 619],
  [505, 87886, 499, 87892],
  [29, 7470, 45, 7232],
  [17, 1699, 65, 1600],
  [186, 50448, 141, 27197],
  [5, 2493, 3, 2338],
  [27, 16886, 29, 17825],
] as const;
const effects = trials.map(([a, b, c, d]) => Math.log(a / (a + b) / (c / (c + d))));
const variances = trials.map(([a, b, c, d]) => 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d));

it("gives what metafor prints for its BCG example, and SciPy to 1e-6", () => {
  const found = randomEffects(effects, variances);
  // metafor: rma(yi, vi, method = "REML") gives -0.7145 and tau^2 0.3132.
  expect(found?.value).toBeCloseTo(-0.7145, 4);
  expect(found?.tau2).toBeCloseTo(0.3132, 4);
  // The restricted likelihood maximised by SciPy, with test = "knha".
  const scipy = {
    tau2: 0.3132432611,
    value: -0.7145323424,
    error: 0.1807917442,
    low: -1.1084437141,
    high: -0.3206209708,
    p: 0.0019200151,
  };
  for (const [name, value] of Object.entries(scipy)) {
    expect({ name, value: Reflect.get(found ?? {}, name) }).toEqual({
      name,
      value: expect.closeTo(value, 6),
    });
  }
  expect(found?.prediction.low).toBeCloseTo(-1.9960168, 6);
  expect(found?.prediction.high).toBeCloseTo(0.5669522, 6);
});

it("finds no variance between studies that differ less than their errors", () => {
  const found = randomEffects([0.5, 0.6, 0.55], [0.01, 0.01, 0.01]);
  expect(found).toMatchObject({ tau2: 0, studies: 3, value: expect.closeTo(0.55, 12) });
  // The error is the spread of the effects: sqrt(0.005 / (2 * 3)).
  expect(found?.error).toBeCloseTo(Math.sqrt(0.005 / 6), 12);
});

it("averages no single study", () => {
  expect(randomEffects([0.5], [0.01])).toBeUndefined();
});
