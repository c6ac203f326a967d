import { describe, expect, it } from "vitest";
import { type Claim, judgeClaim } from "./claims.js";

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

describe("a claim", () => {
  it.each([
    ["holds", -0.1, -0.2, -0.01],
    ["fails", 0.1, 0.01, 0.2],
    ["undecided", -0.1, -0.2, 0.01],
    // An interval that ends at the threshold does not leave it behind.
    ["undecided", -0.1, -0.2, 0],
    ["undecided", 0.1, 0, 0.2],
  ])("%s where the interval is around %d", (outcome, value, low, high) => {
    expect(judgeClaim(claim, measured(value, low, high)).outcome).toBe(outcome);
  });

  it("is turned round where it expects more", () => {
    const above = { ...claim, expected: "above", threshold: 0.3 } as const;
    expect(judgeClaim(above, measured(0.5, 0.4, 0.6)).outcome).toBe("holds");
    expect(judgeClaim(above, measured(0.2, 0.1, 0.25)).outcome).toBe("fails");
  });

  it("is undecided, with the reason, where there is nothing to decide it", () => {
    const of = (measurement: Parameters<typeof judgeClaim>[1]) => judgeClaim(claim, measurement);
    expect(of({ measured: "x", missing: "the run has no b" })).toMatchObject({
      outcome: "undecided",
      reason: "the run has no b",
      n: 0,
    });
    expect(of(measured(null, null, null))).toMatchObject({ outcome: "undecided" });
    expect(of(measured(-0.5, null, null)).reason).toBe("it has no interval");
    expect(of(measured(-1, -1, -1)).reason).toBe("resamples have no spread");
    expect(of(measured(-0.1, -0.2, 0.1)).reason).toBe("the interval holds the threshold");
  });

  it("is not decided by resamples that could not differ", () => {
    const none = { value: 0, low: 0, high: 0, oneSided: { low: 0, high: 0.2 } };
    const rare = { ...claim, threshold: 0.1 };
    expect(judgeClaim(rare, { measured: "rate", estimate: none, n: 12 }).outcome).toBe("undecided");
    const often = { ...claim, threshold: 0.3 };
    expect(judgeClaim(often, { measured: "rate", estimate: none, n: 12 }).outcome).toBe("holds");
  });
});
