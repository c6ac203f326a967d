import { describe, expect, it } from "vitest";
import { hashOf, keyOf } from "../../core/keys.js";
import { randomFrom } from "../../core/random.js";
import type { RecordOf } from "../../core/records.js";
import { positionBias } from "./position-bias.js";

const shared = {
  schema: 1,
  type: "judgment",
  key: keyOf("any"),
  step: "judge-pairs@1",
  attempt: 1,
  caption: "a cat",
  imageA: hashOf(Uint8Array.of(1)),
  imageB: hashOf(Uint8Array.of(2)),
  pool: "pairwise@1",
  wording: keyOf("words"),
  ties: true,
  way: "tokens",
  model: "test:judge",
} as const;

/** A judgment by which a is better with probability `a`; null for none. */
const judgment = (
  pair: string,
  wording: string,
  firstShown: "a" | "b",
  a: number | null,
  { tie = 0, trial = 0 } = {},
): RecordOf<"judgment"> => {
  const prompt = `${wording}/${firstShown === "a" ? "straight" : "flipped"}`;
  const about = { ...shared, pair, firstShown, prompt, trial };
  return a === null
    ? { ...about, status: "unscored", reason: "refused", retryable: false, detail: "no" }
    : { ...about, status: "done", probabilities: { a, b: 1 - a - tie, tie }, remaining: 0 };
};

describe("the bias for a place", () => {
  it("is the mean over both orders, in which being better falls out", () => {
    const { overall, prompts } = positionBias([
      // a is better by 0.8; the first place adds 0.1.
      judgment("1", "w", "a", 0.9),
      judgment("1", "w", "b", 0.7),
      // b is better by 0.8; the first place adds 0.2 (b is first in the flipped order).
      judgment("2", "w", "a", 0.4),
      judgment("2", "w", "b", 0),
    ]);
    expect(overall.n).toBe(2);
    expect(overall.bias.value).toBeCloseTo(0.15, 12);
    expect(overall.inconsistent.value).toBe(0);
    expect(prompts.w).toEqual(overall);
  });

  it("counts decisions that turn with the order, and a tie as contradicting none", () => {
    const { prompts } = positionBias([
      judgment("1", "w", "a", 0.6),
      judgment("1", "w", "b", 0.4),
      judgment("2", "w", "a", 0.5),
      judgment("2", "w", "b", 0.4),
      judgment("1", "v", "a", 0.2),
      judgment("1", "v", "b", 0.1),
    ]);
    expect(prompts.w?.inconsistent.value).toBe(0.5);
    expect(prompts.v).toMatchObject({ n: 1, inconsistent: { value: 0, low: null } });
    // P(first) is 0.2 and 0.9.
    expect(prompts.v?.bias.value).toBeCloseTo(0.05, 12);
  });

  it("counts half of a tie, and the mean of trials", () => {
    const { overall } = positionBias([
      judgment("1", "w", "a", 0.5, { tie: 0.4 }),
      judgment("1", "w", "b", 0, { trial: 0 }),
      judgment("1", "w", "b", 1, { trial: 1 }),
    ]);
    // P(first) is 0.7, and 1 and 0.
    expect(overall.bias.value).toBeCloseTo((0.7 + 0.5) / 2 - 0.5, 12);
  });

  it("leaves out and counts what has no answer in one of the orders", () => {
    const { overall, prompts } = positionBias([
      judgment("1", "w", "a", 0.9),
      judgment("1", "w", "b", null),
      judgment("2", "w", "a", 0.9),
      judgment("3", "w", "a", 0.6),
      judgment("3", "w", "b", 0.6),
    ]);
    expect(overall).toMatchObject({ n: 1, unscored: 2 });
    expect(overall.bias.value).toBeCloseTo(0, 12);
    expect(prompts.w?.n).toBe(1);
  });

  it("is undefined, not 0, where nothing was judged in both orders", () => {
    const { overall } = positionBias([judgment("1", "w", "a", 0.9)]);
    expect(overall).toMatchObject({
      n: 0,
      unscored: 1,
      bias: { value: null, reason: "no pair was judged in both orders" },
    });
    expect(positionBias([]).overall.bias.value).toBeNull();
  });

  it("has an interval that holds the truth about as often as it says, drawing whole pairs", () => {
    let held = 0;
    const runs = 200;
    for (let run = 0; run < runs; run++) {
      const random = randomFrom(run, "position bias");
      const judgments = Array.from({ length: 60 }, (_, pair) => {
        // One bias of a pair for both wordings: rows of a pair are not independent.
        const bias = 0.05 + random.between(-0.2, 0.2);
        const better = random.between(0.3, 0.7);
        return ["v", "w"].flatMap((wording) => [
          judgment(`${pair}`, wording, "a", better + bias),
          judgment(`${pair}`, wording, "b", better - bias),
        ]);
      }).flat();
      const { bias } = positionBias(judgments, { seed: run, resamples: 100 }).overall;
      if ((bias.low ?? 1) <= 0.05 && 0.05 <= (bias.high ?? 0)) held++;
    }
    // Of 200, 95 % is 190, give or take 3.1; drawing rows apart would hold about 83 %.
    expect(held).toBeGreaterThanOrEqual(178);
    expect(held).toBeLessThan(200);
  });
});
