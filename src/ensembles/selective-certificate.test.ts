import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulateCertificates } from "../../test/support/selective-simulation.js";
import { randomFrom } from "../core/random.js";
import { answersNeeded, atMostErrors } from "./binomial-bound.js";
import {
  type CheckedDecision,
  certify,
  countsAtThresholds,
  labelsThatWouldDo,
  triedThresholds,
} from "./selective-certificate.js";

const assurance = { target: 0.05, confidence: 0.95 };

const decided = (confidence: number, isWrong = false): CheckedDecision => ({ confidence, isWrong });
const many = (count: number, confidence: number, wrong = 0): CheckedDecision[] =>
  Array.from({ length: count }, (_, at) => decided(confidence, at < wrong));

const certificateOf = (decisions: readonly CheckedDecision[], others: readonly number[] = []) =>
  certify(countsAtThresholds(decisions, triedThresholds(others)), decisions.length, assurance);

describe("thresholds to try", () => {
  test("fall from the most confident to all", () => {
    const tried = triedThresholds([0.7, 0.99, 0.6, 0.8]);
    const thresholds = tried.map(({ threshold }) => threshold);
    expect(thresholds).toEqual([...thresholds].sort((a, b) => b - a));
    expect(thresholds[0]).toBe(0.99);
    expect(tried.at(-1)).toEqual({ threshold: 0.5, expectedCoverage: 1 });
    // Two fifths of further pairs are expected to reach the second of four.
    expect(tried.find(({ expectedCoverage }) => expectedCoverage === 0.4)?.threshold).toBeCloseTo(
      0.8,
    );
  });
});

describe("counts at thresholds", () => {
  test("accept at or above", () => {
    const counts = countsAtThresholds(
      [decided(0.6, true), decided(0.9), decided(0.8, true), decided(0.8)],
      [
        { threshold: 0.95, expectedCoverage: 0.1 },
        { threshold: 0.8, expectedCoverage: 0.5 },
        { threshold: 0.5, expectedCoverage: 1 },
      ],
    );
    expect(counts.map(({ accepted, wrong }) => [accepted, wrong])).toEqual([
      [0, 0],
      [3, 1],
      [4, 2],
    ]);
  });
});

describe("a certificate", () => {
  test("of 20 labels says what they can certify, and what would do", () => {
    const certificate = certificateOf(many(20, 0.9));
    expect(certificate).toEqual({
      threshold: null,
      n: 20,
      bestTarget: expect.closeTo(0.1391, 4),
      acceptedNeeded: 59,
    });
  });

  test("accepts everything where nothing is wrong and labels are enough", () => {
    expect(certificateOf(many(59, 0.9))).toMatchObject({ threshold: 0.5, accepted: 59, wrong: 0 });
    expect(certificateOf(many(58, 0.9)).threshold).toBeNull();
  });

  test("stops above the pairs on which the judge is not better than a coin", () => {
    const decisions = [...many(200, 0.95, 2), ...many(200, 0.6, 100)];
    const others = decisions.filter((_, at) => at % 4 === 0).map(({ confidence }) => confidence);
    const certificate = certificateOf(decisions, others);
    expect(certificate).toMatchObject({ accepted: 200, wrong: 2, n: 400 });
    expect(certificate.threshold).toBeGreaterThan(0.6);
    expect(certificate.threshold).toBeLessThanOrEqual(0.95);
    if (certificate.threshold !== null) {
      expect(atMostErrors(2, 200, certificate.errorBound)).toBeCloseTo(0.05, 8);
    }
  });

  const wouldDo = (decisions: readonly CheckedDecision[]) =>
    labelsThatWouldDo(
      countsAtThresholds(decisions, triedThresholds([])),
      decisions.length,
      assurance,
    );

  test("is not to be had by more labels alone where no threshold errs seldom enough", () => {
    expect(certificateOf(many(300, 0.9, 30)).threshold).toBeNull();
    expect(wouldDo(many(300, 0.9, 30))).toBeUndefined();
  });

  test("names about how many labels would do", () => {
    expect(wouldDo(many(20, 0.9))).toBe(59);
    // At 2 % wrong: 3 of 153 are not enough, since there are 3.06; 4 of 181 are more than enough.
    expect(answersNeeded(3, assurance)).toBe(153);
    expect(answersNeeded(4, assurance)).toBe(181);
    expect(wouldDo(many(100, 0.9, 2))).toBeGreaterThan(153);
    expect(wouldDo(many(100, 0.9, 2))).toBeLessThan(181);
  });

  test("does not name hardly more labels than there are because a lower threshold alone would pass", () => {
    // 6 of the surest 150 are wrong, and none of the others: all 300 together would pass, but are not reached.
    const decisions = [...many(150, 0.99, 6), ...many(150, 0.7)];
    const tried = triedThresholds(decisions.map(({ confidence }) => confidence));
    const counts = countsAtThresholds(decisions, tried);
    expect(atMostErrors(6, 300, 0.05)).toBeLessThan(0.05);
    expect(certify(counts, 300, assurance).threshold).toBeNull();
    const would = labelsThatWouldDo(counts, 300, assurance) ?? 0;
    // 4 % of half of them.
    expect(atMostErrors(0.02 * would, 0.5 * would, 0.05)).toBeLessThanOrEqual(0.05);
    expect(would).toBeGreaterThan(1500);
  });

  test("never accepts with an upper bound above the target", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0.5, max: 1, noNaN: true }), fc.nat(19)), {
          maxLength: 300,
        }),
        (drawn) => {
          const certificate = certificateOf(
            drawn.map(([confidence, luck]) => decided(confidence, luck === 0)),
            drawn.slice(0, 20).map(([confidence]) => confidence),
          );
          if (certificate.threshold !== null) {
            expect(certificate.errorBound).toBeLessThanOrEqual(0.05 + 1e-9);
          } else expect(certificate.bestTarget).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe("1,000 calibrations", () => {
  // The most exceedances in 1,000 that a rate of 5 % explains, at 99.9 %.
  const most = binomialQuantile(1000, 0.05, 0.999);

  /** Confident at random; wrong exactly as often as allowed down to 0.6, and always below. */
  const onTheEdge = (random: ReturnType<typeof randomFrom>) => {
    const confidence = random.between(0.5, 1);
    return decided(confidence, random.chance(confidence < 0.6 ? 1 : 0.05));
  };
  /** The more confident it is, the more it errs, but for a good stretch in the middle. */
  const upsideDown = (random: ReturnType<typeof randomFrom>) => {
    const confidence = random.between(0.5, 1);
    return decided(
      confidence,
      random.chance(confidence > 0.9 ? 0.06 : confidence > 0.7 ? 0.01 : 0.2),
    );
  };

  test("exceed the target as seldom as promised where the judge is on the edge of it", () => {
    const { exceeded, certified } = simulateCertificates({
      draw: onTheEdge,
      // A hair above the target at every threshold.
      errorAt: (threshold) => (threshold < 0.6 ? 0.1 : 0.0500001),
      calibrations: 1000,
      fitting: 50,
      deciding: 450,
      seed: 0,
      ...assurance,
    });
    expect(certified).toBe(exceeded);
    expect(exceeded).toBeLessThanOrEqual(most);
    // Not by never certifying anything: at the edge a good share of what is allowed is used.
    expect(exceeded).toBeGreaterThan(10);
  });

  test("exceed the target as seldom as promised where confidence says nothing of error", () => {
    const { exceeded } = simulateCertificates({
      draw: upsideDown,
      errorAt: (threshold) => meanError(threshold),
      calibrations: 1000,
      fitting: 50,
      deciding: 450,
      seed: 1,
      ...assurance,
    });
    expect(exceeded).toBeLessThanOrEqual(most);
  });

  const meanError = (threshold: number) => {
    const parts = [
      [0.9, 1, 0.06],
      [0.7, 0.9, 0.01],
      [0.5, 0.7, 0.2],
    ] as const;
    let wrong = 0;
    for (const [low, high, rate] of parts)
      wrong += Math.max(0, high - Math.max(low, threshold)) * rate;
    return wrong / (1 - threshold);
  };

  /** Confidence means what it says; the judge's log odds have this mean and this spread. */
  const calibrated = (mean: number, spread: number) => (random: ReturnType<typeof randomFrom>) => {
    const normal =
      Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const confidence = 1 / (1 + Math.exp(-Math.abs(mean + spread * normal)));
    return decided(confidence, !random.chance(confidence));
  };

  /** Coverage by threshold, and the largest at which the error rate is at most the target. */
  function truthOf(draw: (random: ReturnType<typeof randomFrom>) => CheckedDecision) {
    const random = randomFrom("truth");
    const drawn = Array.from({ length: 100_000 }, () => draw(random));
    const steps = 5000;
    const counts = countsAtThresholds(
      drawn,
      Array.from({ length: steps }, (_, at) => ({
        threshold: 1 - (at + 1) / (2 * steps),
        expectedCoverage: 1,
      })),
    );
    const good = counts.filter(({ wrong, accepted }) => wrong <= 0.05 * accepted);
    const at = (threshold: number) => counts[Math.round(2 * steps * (1 - threshold)) - 1];
    return {
      oracle: Math.max(...good.map(({ accepted }) => accepted)) / drawn.length,
      coverageAt: (threshold: number) => (at(threshold)?.accepted ?? 0) / drawn.length,
      errorAt: (threshold: number) => (at(threshold)?.wrong ?? 0) / (at(threshold)?.accepted ?? 1),
    };
  }

  test("with 500 labels accept 0.7 of what an oracle would, of a judge that is right in 88 %", () => {
    const draw = calibrated(2, 4);
    const { oracle, coverageAt, errorAt } = truthOf(draw);
    const { thresholds, exceeded } = simulateCertificates({
      draw,
      errorAt,
      calibrations: 200,
      fitting: 50,
      deciding: 450,
      seed: 2,
      ...assurance,
    });
    const covered = thresholds.map((threshold) => (threshold === null ? 0 : coverageAt(threshold)));
    const mean = covered.reduce((sum, each) => sum + each, 0) / covered.length;
    expect(oracle).toBeCloseTo(0.78, 1);
    expect(mean / oracle).toBeGreaterThan(0.7);
    expect(exceeded).toBeLessThanOrEqual(binomialQuantile(200, 0.05, 0.999));
  });

  test("with 500 labels certify a judge that is right in 80 % hardly ever, and never lie", () => {
    const draw = calibrated(1, 2);
    const { oracle, errorAt } = truthOf(draw);
    const { certified, exceeded } = simulateCertificates({
      draw,
      errorAt,
      calibrations: 200,
      fitting: 50,
      deciding: 450,
      seed: 3,
      ...assurance,
    });
    // An oracle would accept 160 of 450, with 8 errors: too close to the target for so few labels.
    expect(oracle).toBeCloseTo(0.36, 1);
    expect(certified).toBeLessThan(60);
    expect(exceeded).toBeLessThanOrEqual(binomialQuantile(200, 0.05, 0.999));
  });

  test("would exceed it far more often were the observed error rate believed", () => {
    let exceeded = 0;
    for (let at = 0; at < 200; at++) {
      const random = randomFrom(at, "believed");
      const counts = countsAtThresholds(
        Array.from({ length: 450 }, () => onTheEdge(random)),
        triedThresholds([]),
      );
      if (counts.some(({ wrong, accepted }) => accepted >= 59 && wrong <= 0.05 * accepted))
        exceeded++;
    }
    expect(exceeded).toBeGreaterThan(100);
  });
});

function binomialQuantile(n: number, rate: number, probability: number): number {
  let k = 0;
  while (atMostErrors(k, n, rate) < probability) k++;
  return k;
}
