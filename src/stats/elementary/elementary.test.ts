import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exp, expm1 } from "./exponential.js";
import { atanh, tanh } from "./hyperbolic.js";
import { log, log1p } from "./logarithm.js";
import { ceilLog2, decimalExponent, hypot } from "./powers.js";

const all = { noNaN: true, noDefaultInfinity: true } as const;
const cases = [
  ["exp", exp, Math.exp, fc.oneof(fc.double({ min: -760, max: 720, ...all }), fc.double())],
  ["log", log, Math.log, fc.oneof(fc.double({ min: 0, max: 4, ...all }), fc.double())],
  ["log1p", log1p, Math.log1p, fc.oneof(fc.double({ min: -1, max: 4, ...all }), fc.double())],
  ["expm1", expm1, Math.expm1, fc.oneof(fc.double({ min: -60, max: 720, ...all }), fc.double())],
  ["tanh", tanh, Math.tanh, fc.oneof(fc.double({ min: -30, max: 30, ...all }), fc.double())],
  ["atanh", atanh, Math.atanh, fc.double({ min: -1, max: 1, ...all })],
] as const;

describe.each(cases)("%s", (_, own, engines, numbers) => {
  it("is what this engine has, but for the last place", () => {
    fc.assert(
      fc.property(numbers, (x) => {
        const [found, expected] = [own(x), engines(x)];
        if (Number.isFinite(expected)) {
          expect(Math.abs(found - expected)).toBeLessThanOrEqual(
            Math.max(Math.abs(expected) * 2 ** -51, Number.MIN_VALUE),
          );
        } else expect(found).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    0,
    1,
    -1,
    1e-300,
    1e300,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ])("has the engine's value at %d", (x) => {
    if (Number.isFinite(engines(x))) expect(own(x)).toBeCloseTo(engines(x), 12);
    else expect(own(x)).toBe(engines(x));
  });
});

it("has these very bits, on every engine", () => {
  // Computed by V8 11, whose functions are fdlibm's.
  expect([
    exp(0.3),
    exp(-20.7),
    log(3),
    log(0.01),
    log1p(0.2),
    expm1(-3),
    tanh(0.7),
    atanh(0.9),
  ]).toEqual([
    1.3498588075760032, 1.0235385977594162e-9, 1.0986122886681096, -4.605170185988091,
    0.18232155679395462, -0.950212931632136, 0.6043677771171636, 1.4722194895832204,
  ]);
  expect([hypot(3, 4), hypot(0, 0), hypot(1e200, 1e200)]).toEqual([5, 0, 1.414213562373095e200]);
});

it("finds exponents exactly", () => {
  expect([1, 2, 3, 1024, 1025, 0.5, 0.3].map(ceilLog2)).toEqual([0, 1, 2, 10, 11, -1, -1]);
  expect([999, 1000, 1e-7, 0.099, 0.1, -5].map(decimalExponent)).toEqual([2, 3, -7, -2, -1, 0]);
});
