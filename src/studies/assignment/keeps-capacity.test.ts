import fc from "fast-check";
import { expect, test } from "vitest";
import { mostRatings, Supply } from "./keeps-capacity.js";

/** The same by trying all: each person in turn gives to any set of items. */
function tried(demands: readonly number[], people: readonly [number, readonly number[]][]): number {
  const [first, ...rest] = people;
  if (first === undefined) return 0;
  const [capacity, limits] = first;
  let best = 0;
  for (let chosen = 0; chosen < 2 ** demands.length; chosen++) {
    const takes = demands.map((_, item) => (chosen >> item) & 1);
    const given = takes.reduce((sum, one) => sum + one, 0);
    const fits = takes.every((one, item) => one <= Math.min(demands[item] ?? 0, limits[item] ?? 0));
    if (given > capacity || !fits) continue;
    const left = demands.map((demand, item) => demand - (takes[item] ?? 0));
    best = Math.max(best, given + tried(left, rest));
  }
  return best;
}

const person = fc.tuple(fc.nat(4), fc.array(fc.nat(1), { minLength: 4, maxLength: 4 }));

test("as many as by trying all, those to come taken together or one by one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
      fc.array(person, { maxLength: 3 }),
      fc.nat(2),
      fc.nat(4),
      (demands, others, people, toCome, each) => {
        const size = demands.length;
        const fresh = Math.min(each, size);
        const supplies = [
          ...people.map(
            ([capacity, limits]) => new Supply(capacity, Int32Array.from(limits.slice(0, size))),
          ),
          new Supply(toCome * fresh, new Int32Array(size).fill(toCome)),
        ];
        // What a search for something else found changes nothing.
        mostRatings(Int32Array.from(others.slice(0, size)), supplies);
        const found = mostRatings(Int32Array.from(demands), supplies);
        const one: [number, readonly number[]] = [fresh, [1, 1, 1, 1]];
        const alone = Array.from({ length: toCome }, () => one);
        expect(found).toBe(tried(demands, [...people, ...alone]));
      },
    ),
    { numRuns: 2000 },
  );
});

test("where people can no longer give what is wanted, as much as they can", () => {
  // 300 people with 10 ratings each, of whom nobody can rate the last 20 of 200 items.
  const limits = Int32Array.from({ length: 200 }, (_, item) => (item < 180 ? 1 : 0));
  const people = Array.from({ length: 300 }, () => new Supply(10, limits));
  expect(mostRatings(new Int32Array(200).fill(15), people)).toBe(180 * 15);
  expect(mostRatings(new Int32Array(200).fill(20), people)).toBe(300 * 10);
});
