import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bradleyTerry,
  bradleyTerryOf,
  type PairedCount,
  pairedCounts,
  unbeaten,
} from "./bradley-terry.js";
import reference from "./bradley-terry-reference.json" with { type: "json" };
import { influenceError } from "./influence-error.js";

type Row = (typeof reference)["cases"][number]["rows"][number];

const outcomeOf = ([, , outcome]: Row) => (outcome === "a" || outcome === "b" ? outcome : "tie");
const countOf = (row: Row): PairedCount => {
  const outcome = outcomeOf(row);
  return {
    a: Number(row[0]),
    b: Number(row[1]),
    wins: Number(outcome === "a"),
    losses: Number(outcome === "b"),
    ties: Number(outcome === "tie"),
  };
};

describe.each(reference.cases)("$models models", ({ models, rows, ...expected }) => {
  const counts = rows.map(countOf);

  test("strengths are those of choix and statsmodels", () => {
    const { strengths = [], nu } = bradleyTerry(counts, { models }) ?? {};
    expect(nu).toBeUndefined();
    expected.half.forEach((strength, at) => {
      expect(strengths[at]).toBeCloseTo(strength, 8);
    });
  });

  test("Davidson's are those of SciPy on his likelihood", () => {
    const { strengths = [], nu } = bradleyTerry(counts, { models, ties: "davidson" }) ?? {};
    expect(nu).toBeCloseTo(expected.nu, 4);
    expected.davidson.forEach((strength, at) => {
      expect(strengths[at]).toBeCloseTo(strength, 4);
    });
  });

  test("influences give statsmodels' errors that are robust to clusters", () => {
    const fit = bradleyTerry(counts, { models });
    const moves = rows.map((row) => fit?.influence(Number(row[0]), Number(row[1]), outcomeOf(row)));
    const people = [...new Set(rows.map(([, , , person]) => person))];
    const cluster = Int32Array.from(rows, ([, , , person]) => people.indexOf(person));
    expected.clusterError.forEach((error, model) => {
      const influence = Float64Array.from(moves, (one) => one?.[model] ?? Number.NaN);
      expect(influenceError(influence, cluster, people.length)).toBeCloseTo(error, 7);
    });
  });
});

/** Comparisons among up to five models, each of which beat the next and the last the first. */
const connected = fc.integer({ min: 2, max: 5 }).chain((models) =>
  fc.record({
    models: fc.constant(models),
    pairs: fc
      .array(
        fc.record({
          a: fc.nat(models - 1),
          b: fc.nat(models - 1),
          wins: fc.nat(9),
          losses: fc.nat(9),
          ties: fc.nat(9),
        }),
        { maxLength: 12 },
      )
      .map((some): PairedCount[] => [
        ...some.filter(({ a, b }) => a !== b),
        ...Array.from({ length: models }, (_, a) => ({
          a,
          b: (a + 1) % models,
          wins: 1,
          losses: 0,
          ties: 0,
        })),
      ]),
  }),
);

describe.each(["half", "davidson"] as const)("with ties: %s", (ties) => {
  const strengthsOf = (pairs: readonly PairedCount[], models: number) => [
    ...(bradleyTerry(pairs, { models, ties })?.strengths ?? []),
  ];
  const close = (found: readonly number[], expected: readonly number[]) => {
    expect(found).toHaveLength(expected.length);
    found.forEach((one, at) => {
      expect(one).toBeCloseTo(expected[at] ?? Number.NaN, 6);
    });
  };

  test("expected wins are those that were counted, and strengths sum to 0", () => {
    fc.assert(
      fc.property(connected, ({ models, pairs }) => {
        const fit = bradleyTerry(pairs, { models, ties });
        const strengths = fit?.strengths ?? new Float64Array();
        const nu = fit?.nu ?? 0;
        const ahead = new Float64Array(models);
        for (const { a, b, wins, losses, ties: even } of pairs) {
          const half = ((strengths[a] ?? 0) - (strengths[b] ?? 0)) / 2;
          const [up, down] = [Math.exp(half), Math.exp(-half)];
          const expected = ((wins + losses + even) * (up - down)) / (up + down + nu);
          ahead[a] = (ahead[a] ?? 0) + wins - losses - expected;
          ahead[b] = (ahead[b] ?? 0) - wins + losses + expected;
        }
        for (const one of ahead) expect(one).toBeCloseTo(0, 6);
        expect(strengths.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 8);
      }),
    );
  });

  test("a start elsewhere ends at the same strengths", () => {
    fc.assert(
      fc.property(connected, fc.nat(4), ({ models, pairs }, lost) => {
        const others = pairs.map((pair, at) => (at === lost ? { ...pair, losses: 90 } : pair));
        const start = bradleyTerry(others, { models, ties });
        const found = bradleyTerryOf(pairedCounts(pairs), { models, ties, start });
        close([...(found?.strengths ?? [])], strengthsOf(pairs, models));
      }),
    );
  });

  test("names of models and sides of pairs don't matter, nor how often all is counted", () => {
    fc.assert(
      fc.property(connected, fc.integer({ min: 2, max: 5 }), ({ models, pairs }, times) => {
        const expected = strengthsOf(pairs, models);
        const turned = pairs.map(({ a, b, wins, losses, ties: even }) => ({
          a: models - 1 - b,
          b: models - 1 - a,
          wins: times * losses,
          losses: times * wins,
          ties: times * even,
        }));
        close(strengthsOf(turned, models).reverse(), expected);
      }),
    );
  });
});

test("two models: the log of the odds, and nobody's where one never lost", () => {
  const pair = { a: 0, b: 1, wins: 3, losses: 1, ties: 0 };
  expect(bradleyTerry([pair], { models: 2 })?.strengths[0]).toBeCloseTo(Math.log(3) / 2, 12);
  expect(bradleyTerry([{ ...pair, losses: 0 }], { models: 2 })).toBeUndefined();
  expect(unbeaten([{ ...pair, losses: 0 }], 2)).toEqual([0]);
  expect(unbeaten([pair], 2)).toBeUndefined();
  expect(unbeaten([pair], 3)).toEqual([2]);
  const tied = { ...pair, losses: 0, ties: 2 };
  expect(bradleyTerry([tied], { models: 2 })?.strengths[0]).toBeCloseTo(Math.log(4) / 2, 12);
  // By Davidson the loser's strength goes to minus infinity, and the chance of a tie stays.
  expect(bradleyTerry([tied], { models: 2, ties: "davidson" })).toBeUndefined();
});

test("without ties Davidson's model is Bradley and Terry's", () => {
  fc.assert(
    fc.property(connected, ({ models, pairs }) => {
      const decided = pairs.map((pair) => ({ ...pair, ties: 0 }));
      const fit = bradleyTerry(decided, { models, ties: "davidson" });
      expect(fit?.nu).toBe(0);
      expect(fit?.strengths).toEqual(bradleyTerry(decided, { models })?.strengths);
    }),
  );
});
