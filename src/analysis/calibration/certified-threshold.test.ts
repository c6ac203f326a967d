import { describe, expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { certifiedThreshold } from "./certified-threshold.js";

interface Answer {
  readonly confidence: number;
  readonly isWrong: boolean;
  /** Default: 1. */
  readonly says?: 0 | 1;
}

const columns = (answers: readonly Answer[], clusters = answers.length) => ({
  labels: Float64Array.from(answers, ({ isWrong, says = 1 }) => (isWrong ? 1 - says : says)),
  probabilities: Float64Array.from(answers, ({ confidence, says = 1 }) =>
    says === 1 ? confidence : 1 - confidence,
  ),
  cluster: Int32Array.from(answers, (_, at) => at % clusters),
  weights: undefined,
});

const found = (answers: readonly Answer[], { target = 0.05, clusters = answers.length } = {}) => {
  const certification = certifiedThreshold(columns(answers, clusters), target, 0);
  if ("reason" in certification) throw new Error(certification.reason);
  return certification;
};

const repeated = (times: number, answer: Answer) => Array.from({ length: times }, () => answer);

describe("the certified threshold of a table", () => {
  test("is seldom lower than the true one, and near it", () => {
    const tables = 200;
    const random = randomFrom("tables of answers");
    const thresholds: number[] = [];
    for (let table = 0; table < tables; table++) {
      // 0.5 % are wrong from 0.75 on and 60 % below, so that from 0.7025 on a tenth is.
      const answers = Array.from({ length: 300 }, (): Answer => {
        const confidence = random.between(0.5, 1);
        const isWrong = random.chance(confidence < 0.75 ? 0.6 : 0.005);
        return { confidence, isWrong, says: random.chance(0.5) ? 1 : 0 };
      });
      thresholds.push(found(answers, { target: 0.1 }).certificate.threshold ?? 1);
    }
    // 5 % are promised; 20 of 200 is three standard deviations above.
    expect(thresholds.filter((threshold) => threshold < 0.7025).length).toBeLessThanOrEqual(20);
    const near = thresholds.filter((threshold) => threshold < 0.78);
    expect(near.length).toBeGreaterThan(tables * 0.9);
  });

  test("is none where the surest are wrong, nor where there are too few rows", () => {
    const sure = repeated(300, { confidence: 0.99, isWrong: true });
    expect(found(sure).certificate).toMatchObject({ threshold: null, acceptedNeeded: 59 });
    const few = found(repeated(39, { confidence: 0.9, isWrong: false }));
    expect(few).toMatchObject({ method: "none", counts: [], labels: { fitting: 39, deciding: 0 } });
    expect(few.certificate).toMatchObject({ threshold: null, n: 0, acceptedNeeded: 59 });
  });

  test("accepts all that are equally sure, of either answer, and 0.5 last", () => {
    const answers = [
      ...repeated(100, { confidence: 0.66, isWrong: false, says: 0 }),
      ...repeated(100, { confidence: 0.66, isWrong: false }),
      ...repeated(100, { confidence: 0.5, isWrong: true }),
    ];
    const { certificate, counts } = found(answers);
    expect(certificate).toMatchObject({ n: 250, accepted: counts[0]?.accepted, wrong: 0 });
    expect(counts[0]).toMatchObject({ threshold: 0.66, wrong: 0 });
    expect(new Set(counts.map(({ accepted }) => accepted)).size).toBe(2);
    expect(counts.at(-1)).toMatchObject({ threshold: 0.5, accepted: 250 });
    expect(counts.at(-1)?.wrong).toBe(250 - (counts[0]?.accepted ?? 0));
  });

  test("is told from 1 where a judge is all but sure", () => {
    const answers = repeated(300, { confidence: 0.99987, isWrong: false });
    const unsure = repeated(100, { confidence: 0.9985, isWrong: true });
    const { threshold } = found([...answers, ...unsure]).certificate;
    expect(threshold).toBeGreaterThan(0.9985);
    expect(threshold).toBeLessThanOrEqual(0.99987);
  });

  test("rests on one row of each cluster", () => {
    const { labels } = found(repeated(2000, { confidence: 0.9, isWrong: false }), {
      clusters: 100,
    });
    // 60 rows, three whole clusters, are the first with 50.
    expect(labels).toEqual({ n: 2000, fitting: 60, deciding: 97, couldDecide: 100 });
  });

  test("is not sought where rows were drawn with other probabilities", () => {
    const rows = columns(repeated(300, { confidence: 0.9, isWrong: false }));
    const weights = new Float64Array(300).fill(2);
    expect(certifiedThreshold({ ...rows, weights }, 0.05, 0)).toHaveProperty("certificate");
    weights[7] = 3;
    expect(certifiedThreshold({ ...rows, weights }, 0.05, 0)).toEqual({
      target: 0.05,
      confidence: 0.95,
      reason: "the bound is for rows drawn with equal probability, and these have other weights",
    });
  });
});
