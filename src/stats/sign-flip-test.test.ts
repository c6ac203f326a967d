import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { pairedTTest } from "./paired-t-test.js";
import reference from "./sign-flip-reference.json" with { type: "json" };
import { signFlipTest } from "./sign-flip-test.js";

const settings = () => ({ permutations: 4000, random: randomFrom(0, "test") });
const numbers = (most: number) =>
  fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: most });

test("agrees with an independent program where it is exact", () => {
  for (const { differences, exact_p_two_sided } of reference) {
    const { p, flips } = signFlipTest(differences, settings());
    expect(flips).toBe("exact");
    expect(Math.abs(p - exact_p_two_sided)).toBeLessThan(1e-12);
  }
});

test("by hand: three of one sign are as far off in 2 of 8 ways", () => {
  expect(signFlipTest([1, 2, 3], settings()).p).toBe(0.25);
  expect(signFlipTest([0, 0], settings()).p).toBe(1);
  expect(signFlipTest([], settings()).p).toBe(1);
  // 0.1 + 0.2 and 0.3 differ by rounding alone: -0.3 + 0.3 is as far from 0 as 0.
  expect(signFlipTest([0.1, 0.2, -0.3], settings()).p).toBe(1);
});

test("neither order nor direction nor scale nor a zero changes an exact p", () => {
  fc.assert(
    fc.property(numbers(9), (differences) => {
      const { p } = signFlipTest(differences, settings());
      const turned = [...differences].reverse();
      expect(signFlipTest(turned, settings()).p).toBe(p);
      expect(
        signFlipTest(
          turned.map((each) => -4 * each),
          settings(),
        ).p,
      ).toBe(p);
      expect(signFlipTest([...differences, 0], settings()).p).toBe(p);
    }),
  );
});

test("random ways of turning signs come near the t-test, and p is never 0", () => {
  const random = randomFrom(2, "differences");
  for (const shift of [0, 0.05, 0.1]) {
    const differences = Array.from({ length: 101 }, () => random.next() - 0.5 + shift);
    const { p, flips } = signFlipTest(differences, settings());
    const t = pairedTTest(
      differences,
      differences.map(() => 0),
    );
    expect(flips).toBe("random");
    expect(Math.abs(p - (t.p ?? 2))).toBeLessThan(0.03);
  }
  const clear = Array.from({ length: 40 }, () => 1);
  expect(signFlipTest(clear, settings()).p).toBe(1 / 4001);
});

test("counts every way of turning signs", () => {
  const p = (differences: readonly number[]) => {
    const ways = differences.reduce(
      (sums, each) => sums.flatMap((sum) => [sum + each, sum - each]),
      [0],
    );
    const far = Math.abs(ways[0] ?? 0);
    return ways.filter((sum) => Math.abs(sum) >= far).length / ways.length;
  };
  fc.assert(
    fc.property(numbers(11), (differences) => {
      expect(signFlipTest(differences, settings()).p).toBe(p(differences));
    }),
  );
});

test("above 10,000 differences p is that of their normal limit, unless few of them carry the sum", () => {
  const random = randomFrom(3, "differences");
  const many = Array.from({ length: 10_001 }, () => random.next() - 0.491);
  const limit = signFlipTest(many, settings());
  const drawn = signFlipTest(many.slice(0, 10_000), settings());
  expect([limit.flips, drawn.flips]).toEqual(["normal", "random"]);
  expect(Math.abs(limit.p - drawn.p)).toBeLessThan(0.01);
  const few = many.map((_, at) => (at < 30 ? 1 : 0));
  expect(signFlipTest(few, settings())).toEqual({ p: 1 / 4001, flips: "random" });
  expect(
    signFlipTest(
      many.map(() => 0),
      settings(),
    ).p,
  ).toBe(1);
});
