import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localizedScore } from "../../stats/localized-answers.js";
import { isTie, tieText } from "./score-ties.js";

describe("two scores", () => {
  it("tie where they differ by rounding, and not where they differ by more", () => {
    expect(isTie(0.1 + 0.2, 0.3)).toBe(true);
    expect(isTie(0.31234567, 0.31234567 + 1e-8)).toBe(true);
    expect(isTie(0.5, 0.5 * (1 + 1e-5))).toBe(false);
    expect(isTie(0.5, 0.5 * (1 - 1e-5))).toBe(false);
  });

  it("tie where 32-bit arithmetic adds the same numbers in another order", () => {
    const parts = Array.from({ length: 512 }, (_, at) => Math.fround(Math.sin(at) ** 2 / 300));
    const sumOf = (numbers: readonly number[]) =>
      numbers.reduce((sum, number) => Math.fround(sum + number), 0);
    const [forth, back] = [sumOf(parts), sumOf([...parts].reverse())];
    expect(forth).not.toBe(back);
    expect(isTie(forth, back)).toBe(true);
  });

  it("of zero tie, and with nothing else", () => {
    expect(isTie(0, 0)).toBe(true);
    expect(isTie(0, -0)).toBe(true);
    expect(isTie(0, 1e-30)).toBe(false);
  });

  it("of unlike signs never tie, however near to zero", () => {
    expect(isTie(1e-9, -1e-9)).toBe(false);
    expect(isTie(1e-9, -1e-9, 0.5)).toBe(false);
  });

  it("tie with tolerance 0 where they are equal alone", () => {
    expect(isTie(0.1 + 0.2, 0.3, 0)).toBe(false);
    expect(isTie(5e-324, 0, 0)).toBe(false);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (score) =>
        isTie(score, score, 0),
      ),
    );
  });

  it("tie in either order, with both signs turned, and in whatever unit", () => {
    const score = fc.double({ min: 1e-3, max: 100, noNaN: true });
    const small = fc.double({ min: -3e-6, max: 3e-6, noNaN: true });
    fc.assert(
      fc.property(score, small, (a, relative) => {
        const b = a * (1 + relative);
        expect(isTie(b, a)).toBe(isTie(a, b));
        expect(isTie(-a, -b)).toBe(isTie(a, b));
        expect(isTie(1024 * a, 1024 * b)).toBe(isTie(a, b));
      }),
    );
  });

  it("that are F1 of up to 200 questions tie where they are equal alone", () => {
    const scores = new Set<number>();
    for (let tp = 0; tp <= 100; tp++) {
      for (let wrong = 0; wrong <= 200 - tp; wrong++) {
        const score = localizedScore("f1", { tp, fp: wrong, tn: 0, fn: 0 });
        if (!Number.isNaN(score)) scores.add(score);
      }
    }
    const sorted = [...scores].sort((a, b) => a - b);
    const tied = sorted.filter((score, at) => at > 0 && isTie(score, sorted[at - 1] ?? 0));
    expect(sorted.length).toBeGreaterThan(1000);
    expect(tied).toEqual([]);
  });

  it("know no tolerance below 0", () => {
    expect(() => isTie(1, 1, -1)).toThrow("Expected a tie tolerance of 0 or more but got -1");
    expect(() => isTie(1, 1, Number.NaN)).toThrow(RangeError);
  });
});

it("says which scores tie", () => {
  expect(tieText(0)).toBe("only equal scores tie");
  expect(tieText()).toBe("scores within 1e-6 (relative) count as ties");
  expect(tieText(0.01)).toBe("scores within 0.01 (relative) count as ties");
});
