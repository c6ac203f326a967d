import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type DisagreementRow, disagreements, metricRanks } from "./disagreement.js";

const row = (id: string, scores: DisagreementRow["scores"], prompt = id): DisagreementRow => ({
  id,
  prompt,
  scores,
});
const metrics = [
  { name: "a", direction: "higher" },
  { name: "b", direction: "higher" },
] as const;
const rows = [row("1", [1, 500]), row("2", [2, 400]), row("3", [3, 300]), row("4", [4, 200])];

describe("disagreements", () => {
  it("come by difference of ranks, whatever the metrics' scales", () => {
    const found = disagreements(rows, { metrics, most: 3 });
    expect(found.map(({ id }) => id)).toEqual(["1", "4", "2"]);
    expect(found[0]).toMatchObject({ ranks: [0, 1], highest: 1, lowest: 0, spread: 1 });
    expect(found[2]?.spread).toBeCloseTo(1 / 3, 12);
    const scaled = rows.map((one) => row(one.id, [(one.scores[0] ?? 0) ** 3, one.scores[1] ?? 0]));
    expect(disagreements(scaled, { metrics, most: 3 })).toEqual(found);
  });

  it("mind that less may be better", () => {
    const lower = [metrics[0], { name: "b", direction: "lower" }] as const;
    expect(disagreements(rows, { metrics: lower, most: 9 })).toEqual([]);
  });

  it("give ties the middle of their ranks", () => {
    const tied = [row("1", [0, 1]), row("2", [0, 2]), row("3", [0, 3])];
    expect(disagreements(tied, { metrics, most: 1 })[0]).toMatchObject({ ranks: [0.5, 0] });
  });

  it("take one image of a prompt, and none with fewer than two scores", () => {
    const some = [
      row("1", [1, 9], "p"),
      row("2", [2, 8], "p"),
      row("3", [8, null], "q"),
      row("4", [9, 1], "r"),
    ];
    expect(disagreements(some, { metrics, most: 9 }).map(({ id }) => id)).toEqual(["1", "4"]);
  });

  it("are the same in whatever order the rows come", () => {
    const found = disagreements([...rows].reverse(), { metrics, most: 4 });
    expect(found).toEqual(disagreements(rows, { metrics, most: 4 }));
  });
});

const none = Number.NaN;

test("ranks are shares of the others that lie below, ties half", () => {
  expect([...metricRanks(Float64Array.of(0.2, 0.9, none), "higher")]).toEqual([0, 1, none]);
  expect([...metricRanks(Float64Array.of(0.2, 0.9, none), "lower")]).toEqual([1, 0, none]);
  expect([...metricRanks(Float64Array.of(3, 1, 3, 2, 0), "higher")]).toEqual([
    0.875, 0.25, 0.875, 0.5, 0,
  ]);
  expect([...metricRanks(Float64Array.of(none, 4), "higher")]).toEqual([none, none]);
});

test("they are what counting each against all others gives, to the last digit", () => {
  const score = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer({ min: -3, max: 3 }),
    fc.constant(none),
  );
  fc.assert(
    fc.property(fc.array(score, { maxLength: 60 }), (scores) => {
      const given = scores.filter((one) => !Number.isNaN(one));
      const share = (own: number) => {
        const twice = given.reduce((sum, one) => sum + (one < own ? 2 : one === own ? 1 : 0), -1);
        return Number.isNaN(own) || given.length < 2 ? none : twice / (2 * (given.length - 1));
      };
      expect([...metricRanks(Float64Array.from(scores), "higher")]).toEqual(scores.map(share));
    }),
  );
});
