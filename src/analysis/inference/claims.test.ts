import { describe, expect, it } from "vitest";
import {
  type Claim,
  claimRule,
  familyOf,
  judgeByInterval,
  judgeClaims,
  judgeWithVerdict,
  type TriedClaim,
} from "./claims.js";
import { noSpread } from "./intervals.js";

const claim: Claim = {
  statement: "a fails less than b",
  source: "table 1",
  expected: "below",
  threshold: 0,
  quantity: "difference",
};
const measured = (value: number | null, low: number | null, high: number | null) => ({
  measured: "difference",
  estimate: { value, low, high },
  n: 10,
});

describe("a claim by its interval", () => {
  it.each([
    ["holds", -0.1, -0.2, -0.01],
    ["fails", 0.1, 0.01, 0.2],
    ["undecided", -0.1, -0.2, 0.01],
    // An interval that ends at the threshold does not leave it behind.
    ["undecided", -0.1, -0.2, 0],
    ["undecided", 0.1, 0, 0.2],
  ])("%s where the interval is around %d", (outcome, value, low, high) => {
    expect(judgeByInterval(claim, measured(value, low, high)).outcome).toBe(outcome);
  });

  it("is turned round where it expects more", () => {
    const above = { ...claim, expected: "above", threshold: 0.3 } as const;
    expect(judgeByInterval(above, measured(0.5, 0.4, 0.6)).outcome).toBe("holds");
    expect(judgeByInterval(above, measured(0.2, 0.1, 0.25)).outcome).toBe("fails");
  });

  it("is undecided, with the reason, where there is nothing to decide it", () => {
    const of = (measurement: Parameters<typeof judgeByInterval>[1]) =>
      judgeByInterval(claim, measurement);
    expect(of({ measured: "x", missing: "the run has no b" })).toMatchObject({
      outcome: "undecided",
      reason: "the run has no b",
      n: 0,
    });
    expect(of(measured(null, null, null))).toMatchObject({ outcome: "undecided" });
    expect(of(measured(-0.5, null, null)).reason).toBe("it has no interval");
    expect(of(measured(-0.1, -0.2, 0.1)).reason).toBe("the interval holds the threshold");
  });

  it("points the way of all that was drawn where resamples could not differ", () => {
    const { estimate, ...about } = measured(-1, null, null);
    const agreed = { ...about, estimate: { ...estimate, reason: noSpread } };
    expect(judgeByInterval(claim, agreed).outcome).toBe("holds");
    const biased = { ...about, estimate: { ...estimate, reason: "no interval: biased" } };
    expect(judgeByInterval(claim, biased)).toMatchObject({
      outcome: "undecided",
      reason: "no interval: biased",
    });
  });

  it("is not decided by a share of none beyond its bound", () => {
    const none = { value: 0, low: 0, high: 0, oneSided: { low: 0, high: 0.2 } };
    const rare = { ...claim, threshold: 0.1 };
    expect(judgeByInterval(rare, { measured: "rate", estimate: none, n: 12 }).outcome).toBe(
      "undecided",
    );
    const often = { ...claim, threshold: 0.3 };
    expect(judgeByInterval(often, { measured: "rate", estimate: none, n: 12 }).outcome).toBe(
      "holds",
    );
  });
});

describe("a claim", () => {
  const tried = (
    [low, high]: readonly [number, number],
    { p, clusters = 31 }: { readonly p: number; readonly clusters?: number },
  ): TriedClaim => [
    claim,
    {
      ...measured((low + high) / 2, low, high),
      scale: "difference of shares",
      clusters,
      clusteredBy: "prompt",
      test: () => ({ p, restsOn: "4 of 31 prompts differ" }),
    },
  ];
  const tested = (...given: Parameters<typeof tried>) => {
    const [finding] = judgeClaims([tried(...given)]);
    if (finding === undefined) throw new RangeError("Expected a finding");
    return finding;
  };

  it.each([
    ["holds", -0.258, -0.032, 0.03],
    ["undecided", -0.258, -0.032, 0.125],
    ["undecided", -0.258, -0.032, 0.05],
    ["fails", 0.01, 0.2, 0.03],
    ["undecided", 0.01, 0.2, 0.2],
    ["undecided", -0.2, 0.1, 0.001],
  ])("%s where the interval is %d to %d and the exact p %d", (outcome, low, high, p) => {
    expect(tested([low, high], { p }).outcome).toBe(outcome);
  });

  it("says why the exact test leaves it undecided, and from how many clusters it comes", () => {
    expect(tested([-0.258, -0.032], { p: 0.125 })).toMatchObject({
      reason: "4 of 31 prompts differ: an exact test gives p = 0.125",
      p: 0.125,
      n: 10,
      clusters: 31,
      clusteredBy: "prompt",
    });
    expect(tested([-0.2, 0.1], { p: 0.001 })).toMatchObject({
      reason: "the interval holds the threshold",
    });
  });

  it("is told from no fewer than six clusters, whatever the test", () => {
    expect(tested([-0.2, -0.1], { p: 0.001, clusters: 5 })).toMatchObject({
      outcome: "undecided",
      reason: "only 5 prompts, at least 6 needed",
    });
    expect(tested([-0.2, -0.1], { p: 0.001, clusters: 6 }).outcome).toBe("holds");
  });

  it("holds or fails by its p adjusted for all that were tested with it", () => {
    const apart = [-0.258, -0.032] as const;
    const beside = (count: number) => [
      tried(apart, { p: 0.03 }),
      // Tested although their interval decides nothing: what was found must not choose the family.
      ...Array.from({ length: count }, () => tried([-0.2, 0.1], { p: 0.6 })),
      tried(apart, { p: 0.001, clusters: 5 }),
      [claim, { measured: "x", scale: "share", missing: "the run has no b" }] satisfies TriedClaim,
    ];
    expect(judgeClaims(beside(0))[0]).toMatchObject({ outcome: "holds", p: 0.03, pAdjusted: 0.03 });
    const findings = judgeClaims(beside(16));
    expect(familyOf(findings)).toBe(17);
    const [first, second] = findings;
    // 0.03 times 17 times (1 + 1/2 + ... + 1/17) is more than 1; the others' 0.6 is less than that of rank 1.
    expect(first).toMatchObject({ outcome: "undecided", p: 0.03, pAdjusted: 1 });
    expect(first?.reason).toBe(
      "4 of 31 prompts differ: an exact test gives p = 0.03, 1 adjusted for 17 tests",
    );
    expect(second).toMatchObject({ outcome: "undecided", p: 0.6 });
    expect(claimRule(findings)).toContain("Benjamini-Yekutieli, 17 tests");
    expect(findings.slice(-2).map(({ p }) => p)).toEqual([undefined, undefined]);
    const strong = judgeClaims([tried(apart, { p: 1e-4 }), ...beside(16).slice(1)]);
    expect(strong[0]).toMatchObject({ outcome: "holds", pAdjusted: expect.closeTo(0.00585, 5) });
  });

  it("is one family with the differences of a verdict, which says no more of them than it", () => {
    const both = (p: number) => {
      const one = tried([0.1, 0.3], { p });
      const others = Array.from({ length: 5 }, () => tried([-0.2, 0.1], { p: 0.6 })[1]);
      return judgeWithVerdict([one], [one[1], ...others]);
    };
    const { findings, areSignificant } = both(0.02);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ outcome: "undecided", family: 7 });
    expect(familyOf(findings)).toBe(7);
    expect(claimRule(findings)).toContain(
      "of this table and of the verdict (Benjamini-Yekutieli, 7",
    );
    expect(areSignificant).toEqual(Array(6).fill(false));
    expect(both(0.001)).toMatchObject({
      findings: [{ outcome: "fails" }],
      areSignificant: [true, false, false, false, false, false],
    });
  });
});
