import fc from "fast-check";
import { expect, test } from "vitest";
import { benjaminiHochberg, benjaminiYekutieli, holm } from "./adjusted-p-values.js";
import reference from "./benjamini-hochberg-reference.json" with { type: "json" };

const bonferroni = (p: readonly number[]) => p.map((each) => Math.min(1, each * p.length));
const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

test("agree with an independent program", () => {
  for (const { p, bh, holm: stepDown } of reference) {
    benjaminiHochberg(p).forEach((each, at) => {
      expect(Math.abs(each - (bh[at] ?? 2))).toBeLessThan(1e-9);
    });
    holm(p).forEach((each, at) => {
      expect(Math.abs(each - (stepDown[at] ?? 2))).toBeLessThan(1e-9);
    });
  }
});

test("each lies between p and a harsher one: BH, Holm and BY below Bonferroni times its sum", () => {
  fc.assert(
    fc.property(values, (p) => {
      const [bh, by, stepDown, most] = [
        benjaminiHochberg(p),
        benjaminiYekutieli(p),
        holm(p),
        bonferroni(p),
      ];
      p.forEach((each, at) => {
        expect(bh[at]).toBeGreaterThanOrEqual(each * (1 - 1e-12));
        expect(stepDown[at]).toBeGreaterThanOrEqual((bh[at] ?? 0) - 1e-15);
        expect(stepDown[at]).toBeLessThanOrEqual((most[at] ?? 0) + 1e-15);
        expect(by[at]).toBeGreaterThanOrEqual((bh[at] ?? 0) - 1e-15);
      });
    }),
  );
});

test("keep the order of p, whatever the order they come in", () => {
  fc.assert(
    fc.property(values, (p) => {
      for (const adjust of [benjaminiHochberg, holm]) {
        const found = adjust(p);
        const turned = adjust([...p].reverse()).reverse();
        p.forEach((one, at) => {
          expect(turned[at]).toBeCloseTo(found[at] ?? 2, 14);
          p.forEach((other, before) => {
            if (one < other) expect(found[at]).toBeLessThanOrEqual(found[before] ?? 0);
          });
        });
      }
    }),
  );
});

test("one test stays as it is, none gives none", () => {
  for (const adjust of [benjaminiHochberg, holm]) {
    expect(adjust([0.03])).toEqual([0.03]);
    expect(adjust([])).toEqual([]);
  }
});
