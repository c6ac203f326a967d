import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pearsonInfluence } from "./correlation-influence.js";
import { fisherZ } from "./fisher-z.js";
import { normalTails } from "./normal.js";
import {
  kendallPValue,
  kendallTauB,
  kendallTauC,
  pairCounter,
  pairwiseAccuracy,
  rowDifferences,
} from "./pair-counts.js";
import { correlationPValue, pearson } from "./pearson.js";
import { ranked } from "./ranked.js";
import { spearman } from "./spearman.js";

const countsOf = (x: readonly number[], y: readonly number[]) =>
  pairCounter(ranked(x), ranked(y))();
const all = (x: readonly number[], y: readonly number[]) => ({
  pearson: pearson(x, y),
  spearman: spearman(ranked(x), ranked(y)),
  tauB: kendallTauB(countsOf(x, y)),
  tauC: kendallTauC(countsOf(x, y)),
});

test("an offset costs Pearson's correlation no digit, nor does a factor", () => {
  const [x, y] = [
    [0, 1, 3, 4, 8, 9, 2, 5],
    [1, 0, 2, 6, 7, 8, 3, 3],
  ] as const;
  // By exact fractions.
  const expected = 0.901420188744408;
  for (const offset of [0, 1e9, -1e12, 1e15, 4e15]) {
    const moved = x.map((value) => offset + value);
    expect(pearson(moved, y)).toBeCloseTo(expected, 14);
    expect(pearson(y, moved, [1, 1, 1, 1, 1, 1, 1, 1])).toBeCloseTo(expected, 14);
    const influence = (values: readonly number[]) =>
      pearsonInfluence(Float64Array.from(values), Float64Array.from(y));
    influence(moved).forEach((moves, row) => {
      expect(moves).toBeCloseTo(influence(x)[row] ?? 2, 13);
    });
  }
  for (const factor of [1e300, 1e-300, 3e-320]) {
    expect(
      pearson(
        x.map((value) => factor * value),
        y,
      ),
    ).toBeCloseTo(expected, 3);
  }
  expect(pearson([1e15, 1e15, 1e15], [1, 2, 3])).toBeNaN();
});

describe("agrees with SciPy", () => {
  const cases = [
    {
      x: [1.382178, -0.303699, 1.609189, 1.46004, -0.203039],
      y: [1.637355, -0.784268, 0.701302, 1.301144, 0.459298],
      correlations: [0.7896325287935861, 0.6, 0.39999999999999997, 0.4],
      p: [0.11209836256983059, 0.28475697986529375, 0.48333333333333334],
    },
    {
      // With ties in both, and zeros of either sign.
      x: [-0, -1, 1, 1, 0, 0, -0, -2, -0, 0, 1, 1, 0, 1, -1, 0, -0, 1, 1, 1, 0, 0, -3, -0, 0],
      y: [2, -2, 1, -1, -1, -0, -0, -3, -1, -0, 2, 0, 1, 0, 0, -1, 1, -1, 0, 1, -1, -0, -2, -1, -0],
      correlations: [0.5765184576998849, 0.4504416118243283, 0.39442705817710677, 0.336],
      p: [0.002556630934958733, 0.023846374118740136, 0.024087743364860824],
    },
  ];
  test.each(cases)("on $x.length rows", ({ x, y, correlations, p }) => {
    const found = all(x, y);
    expect(found.pearson).toBeCloseTo(correlations[0] ?? 0, 12);
    expect(found.spearman).toBeCloseTo(correlations[1] ?? 0, 12);
    expect(found.tauB).toBeCloseTo(correlations[2] ?? 0, 12);
    expect(found.tauC).toBeCloseTo(correlations[3] ?? 0, 12);
    expect(correlationPValue(found.pearson, x.length)).toBeCloseTo(p[0] ?? 0, 12);
    expect(correlationPValue(found.spearman, x.length)).toBeCloseTo(p[1] ?? 0, 12);
    const { difference } = countsOf(x, y);
    expect(kendallPValue(ranked(x), ranked(y), difference)).toBeCloseTo(p[2] ?? 0, 12);
  });

  test("exactly, of few rows without ties", () => {
    const p = (y: readonly number[]) => {
      const x = y.map((_, at) => at);
      return kendallPValue(ranked(x), ranked(y), countsOf(x, y).difference);
    };
    expect(p([2, 1, 4, 3, 7, 5, 6])).toBeCloseTo(0.06904761904761905, 12);
    expect(p(Array.from({ length: 30 }, (_, at) => (7 * (at + 1)) % 31))).toBeCloseTo(
      0.5010861583013703,
      12,
    );
    // Of the 6 orders of three, two agree or disagree throughout; of two, both.
    expect(p([1, 2, 3])).toBeCloseTo(1 / 3, 12);
    expect(p([2, 1])).toBe(1);
  });

  test("in the tails of the normal distribution", () => {
    const tails = [
      [0, 1],
      [0.3, 0.7641771556220948],
      [-2.4999, 0.012422836749889175],
      [2.5, 0.012419330651552265],
      [8, 1.244192114854348e-15],
    ] as const;
    for (const [z, p] of tails) expect(Math.abs(normalTails(z) / p - 1)).toBeLessThan(1e-12);
  });
});

/** Few distinct values, so that ties are common. */
const value = fc.integer({ min: -4, max: 4 });
const rows = fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 40 });
const columns = rows.map((pairs) => ({ x: pairs.map(([x]) => x), y: pairs.map(([, y]) => y) }));

/** Every pair looked at, one by one. */
function bruteForce(x: readonly number[], y: readonly number[]) {
  const counts = { n: x.length, pairs: 0, difference: 0, tiedX: 0, tiedY: 0 };
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const [one, other] = [(x[i] ?? 0) - (x[j] ?? 0), (y[i] ?? 0) - (y[j] ?? 0)].map(Math.sign);
      counts.pairs += 1;
      counts.difference += (one ?? 0) * (other ?? 0);
      counts.tiedX += one === 0 ? 1 : 0;
      counts.tiedY += other === 0 ? 1 : 0;
    }
  }
  return counts;
}

/** Both undefined, or equal up to rounding. */
function expectNear(one: number, other: number) {
  if (Number.isNaN(other)) expect(one).toBeNaN();
  else expect(Math.abs(one - other)).toBeLessThan(1e-9);
}

describe("properties", () => {
  test("pairs are counted as one by one, and each row's share adds up", () => {
    fc.assert(
      fc.property(columns, ({ x, y }) => {
        const counts = bruteForce(x, y);
        expect(countsOf(x, y)).toMatchObject(counts);
        const sum = rowDifferences(ranked(x), ranked(y)).reduce((total, own) => total + own, 0);
        expect(sum + 0).toBe(2 * counts.difference + 0);
      }),
    );
  });

  test("pairs are counted as one by one where many rows tie, too", () => {
    const rows = Array.from({ length: 150 }, (_, row) => row);
    const x = rows.map((row) => (row * 7) % 3);
    const y = rows.map((row) => ((row * row) % 5) + ((row * 7) % 3));
    expect(countsOf(x, y)).toMatchObject(bruteForce(x, y));
    expect(countsOf(x, x)).toMatchObject(bruteForce(x, x));
  });

  test("a weight counts a row as often as if it stood there so often", () => {
    const weighted = fc.array(fc.tuple(value, value, fc.nat({ max: 3 })), { minLength: 2 });
    fc.assert(
      fc.property(weighted, (triples) => {
        const x = triples.map(([each]) => each);
        const y = triples.map(([, each]) => each);
        const weights = triples.map(([, , each]) => each);
        const repeated = triples.flatMap(([one, other, times]) =>
          Array.from({ length: times }, () => [one, other] as const),
        );
        const expected = all(
          repeated.map(([each]) => each),
          repeated.map(([, each]) => each),
        );
        expectNear(pearson(x, y, weights), expected.pearson);
        expectNear(spearman(ranked(x), ranked(y), weights), expected.spearman);
        const counts = pairCounter(ranked(x), ranked(y))(weights);
        expectNear(kendallTauB(counts), expected.tauB);
        expectNear(kendallTauC(counts), expected.tauC);
      }),
    );
  });

  test("symmetric, in bounds, whatever the order of the rows", () => {
    fc.assert(
      fc.property(columns, ({ x, y }) => {
        const one = all(x, y);
        const other = all(y, x);
        const reversed = all([...x].reverse(), [...y].reverse());
        for (const name of ["pearson", "spearman", "tauB", "tauC"] as const) {
          expectNear(one[name], other[name]);
          expectNear(one[name], reversed[name]);
          if (!Number.isNaN(one[name])) expect(Math.abs(one[name])).toBeLessThanOrEqual(1);
        }
        const accuracy = pairwiseAccuracy(countsOf(x, y));
        expect(Number.isNaN(accuracy) || (accuracy >= 0 && accuracy <= 1)).toBe(true);
      }),
    );
  });

  test("ranks see the order only, and an order upside down changes the sign", () => {
    fc.assert(
      fc.property(columns, ({ x, y }) => {
        const one = all(x, y);
        const stretched = all(
          x.map(Math.exp),
          y.map((each) => each ** 3),
        );
        const inverted = all(
          x.map((each) => -each),
          y,
        );
        for (const name of ["spearman", "tauB", "tauC"] as const) {
          expectNear(stretched[name], one[name]);
          expectNear(inverted[name], -one[name]);
        }
      }),
    );
  });
});

test("huge and tiny numbers neither overflow nor vanish", () => {
  expect(pearson([1e308, -1e308, 1e307], [1, -1, 0.1])).toBeCloseTo(1, 12);
  expect(pearson([1e-320, 2e-320, 3e-320], [1, 2, 3])).toBeCloseTo(1, 3);
});

test("a constant column has no correlation, even where its mean is rounded", () => {
  const constant = [0.1, 0.1, 0.1];
  expect(all(constant, [1, 2, 3])).toEqual({ pearson: NaN, spearman: NaN, tauB: NaN, tauC: NaN });
  expect(kendallPValue(ranked(constant), ranked([1, 2, 3]), 0)).toBeNaN();
  expect(correlationPValue(Number.NaN, 9)).toBeNaN();
  expect(correlationPValue(0.5, 2)).toBeNaN();
});

test("pairwise accuracy: the metric's ties count half, people's are left out", () => {
  expect(pairwiseAccuracy(countsOf([1, 2, 2], [1, 2, 3]))).toBeCloseTo(2.5 / 3, 12);
  expect(pairwiseAccuracy(countsOf([5, 5, 5], [1, 2, 3]))).toBe(0.5);
  expect(pairwiseAccuracy(countsOf([1, 2, 3], [1, 1, 2]))).toBe(1);
  expect(pairwiseAccuracy(countsOf([1, 2], [3, 3]))).toBeNaN();
});

test("Fisher's z is artanh of r, clipped where it has no end", () => {
  expect(Math.tanh((fisherZ(0.1) + fisherZ(0.9)) / 2)).toBeCloseTo(0.6564, 3);
  expect(fisherZ(1)).toBeCloseTo(Math.atanh(0.999999), 12);
  expect(fisherZ(-1)).toBe(-fisherZ(1));
});
