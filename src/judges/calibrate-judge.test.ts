import { describe, expect, test } from "vitest";
import { type Random, randomFrom } from "../core/random.js";
import { binomialUpperBound } from "../ensembles/binomial-bound.js";
import { splitLabels } from "../ensembles/label-split.js";
import { ofTry } from "../ensembles/selective-certificate.js";
import { ensembleAnswers, type FittingItems } from "./calibrate-fit.js";
import { type CalibratingOptions, calibrateJudge } from "./calibrate-judge.js";

const assurance = { target: 0.05, confidence: 0.95 };
const options: CalibratingOptions = {
  objective: "auto",
  clusters: "auto",
  seed: 0,
  certification: "split",
  ...assurance,
};

const pairs = (count: number, caption = (at: number) => `caption ${at}`) =>
  Array.from({ length: count }, (_, at) => ({ group: caption(at), isReviewed: false }));

/** Two kinds of pairs, told by their embeddings; even prompts see one kind, odd ones the other. */
function world(count: number, prompts: number, random: Random): FittingItems {
  const labels: number[] = [];
  const answers = new Float64Array(count * prompts);
  const embeddings: Float64Array[] = [];
  for (let pair = 0; pair < count; pair++) {
    const kind = random.integer(2);
    const label = random.integer(2);
    labels.push(label);
    embeddings.push(Float64Array.of(kind, 1 - kind, 0.1 * random.next()));
    for (let prompt = 0; prompt < prompts; prompt++) {
      const sees = prompt % 2 === kind ? 0.97 : 0.55;
      const says = random.chance(sees) ? label : 1 - label;
      answers[pair * prompts + prompt] = says === 1 ? 0.9 : 0.1;
    }
  }
  return { labels, answers, prompts, embeddings };
}

describe("a split of labels", () => {
  test("keeps captions whole, lets one pair of each decide, and leaves its others idle", () => {
    const labelled = pairs(300, (at) => `caption ${at % 100}`);
    const { fitting, deciding, idle } = splitLabels(labelled, { seed: 0, ...assurance });
    const captions = (numbers: readonly number[]) =>
      new Set(numbers.map((at) => labelled[at]?.group));
    expect(fitting.length).toBe(51);
    expect([...captions(fitting)].filter((caption) => captions(deciding).has(caption))).toEqual([]);
    expect(captions(deciding).size).toBe(deciding.length);
    expect(deciding.length).toBe(83);
    expect(new Set([...fitting, ...deciding, ...idle]).size).toBe(300);
    const all = splitLabels(labelled, { seed: 0, everyLabel: true, ...assurance });
    expect(all.deciding.length).toBe(249);
    expect(all.idle).toEqual([]);
  });

  test("lets all fit where they are too few to certify anything", () => {
    expect(splitLabels(pairs(40), { seed: 0, ...assurance })).toMatchObject({
      fitting: pairs(40).map((_, at) => at),
      deciding: [],
    });
    const forced = splitLabels(pairs(40), { seed: 0, fitting: 10, ...assurance });
    expect(forced.deciding).toHaveLength(30);
  });

  test("never lets what came from review fit or decide", () => {
    const labelled = pairs(200).map((pair, at) => ({ ...pair, isReviewed: at < 20 }));
    const { fitting, deciding, couldDecide } = splitLabels(labelled, { seed: 0, ...assurance });
    expect(deciding.filter((at) => at < 20)).toEqual([]);
    expect(fitting.filter((at) => at < 20)).toEqual([]);
    expect(couldDecide).toBe(180);
  });

  /** Two drawn pairs of each of 300 captions, every third of which is hard. */
  const isHard = (group: string) => Number(group.split(" ")[1]) % 3 === 0;
  const drawn = pairs(600, (at) => `caption ${at % 300}`);
  /** Pairs that review shows: hard ones, of 50 known captions and of 10 that no drawn pair has. */
  const review = [...drawn.filter(({ group }) => isHard(group)).slice(0, 50)]
    .concat(pairs(10, (at) => `caption ${3 * at + 900}`))
    .map(({ group }) => ({ group, isReviewed: true }));
  const hardShare = (numbers: readonly number[]) =>
    numbers.filter((at) => isHard(drawn[at]?.group ?? "")).length / numbers.length;

  test.each([
    ["one pair of a caption", false],
    ["every pair", true],
  ])("is the same with answers from review, where %s decides", (_, everyLabel) => {
    const options = { seed: 0, everyLabel, ...assurance };
    const before = splitLabels(drawn, options);
    const after = splitLabels([...drawn, ...review], options);
    const ofDrawn = (numbers: readonly number[]) => numbers.filter((at) => at < 600);
    expect(after.deciding).toEqual(before.deciding);
    expect(ofDrawn(after.fitting)).toEqual(before.fitting);
    expect(ofDrawn(after.idle)).toEqual(before.idle);
    expect(after.couldDecide).toBe(everyLabel ? 600 : 300);

    expect(after.idle.filter((at) => at >= 600)).toHaveLength(60);
    expect(after.fitting).toEqual(before.fitting);
  });

  test("decides by as many hard captions as are drawn, whatever review shows", () => {
    const shares = Array.from({ length: 100 }, (_, seed) =>
      hardShare(splitLabels([...drawn, ...review], { seed, ...assurance }).deciding),
    );
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    // 275 of 300 captions decide: the standard error of the mean is 0.0008.
    expect(mean).toBeGreaterThan(0.33);
    expect(mean).toBeLessThan(0.337);
  });
});

describe("a calibrated judge", () => {
  const random = randomFrom("world of two kinds");
  const many = world(400, 6, random);
  const later = world(4000, 6, random);

  test("weighs prompts by the kind of pair, and its certificate holds later", () => {
    const { fit, certificate, counted, n, method, calibration } = calibrateJudge(
      pairs(400),
      many,
      options,
    );
    expect(method).toBe("split");
    expect(n).toBe(350);
    expect(fit.clusters).toBeGreaterThan(1);
    expect(calibration?.n).toBe(350);
    if (certificate.threshold === null) throw new Error("Expected a threshold");
    const { threshold, accepted, wrong } = certificate;
    expect(counted.counts).toContainEqual(expect.objectContaining({ threshold, accepted, wrong }));
    const probabilities = ensembleAnswers(fit, later);
    const taken = probabilities.flatMap(([p = Number.NaN], at) =>
      Math.max(p, 1 - p) >= threshold ? [(p >= 0.5 ? 1 : 0) !== later.labels[at]] : [],
    );
    const errors = taken.filter(Boolean).length;
    expect(taken.length).toBeGreaterThan(2000);
    expect(errors / taken.length).toBeLessThanOrEqual(0.05);
  });

  test("is the same for the same seed, and counts fewer calls at the threshold", () => {
    const [one, other] = [1, 2].map(() => calibrateJudge(pairs(400), many, options));
    expect(one?.fit.weights).toEqual(other?.fit.weights);
    expect(one?.certificate).toEqual(other?.certificate);
    expect(one?.fewerCalls?.exact.equal.value).toBe(1);
    expect(one?.fewerCalls?.exact.calls).toBeLessThan(1);
    expect(one?.fewerCalls?.approximate?.calls).toBeLessThanOrEqual(
      one?.fewerCalls?.exact.calls ?? 0,
    );
    expect(one?.fewerCalls?.approximate?.equal.value).toBeGreaterThan(0.9);
  });

  test("without an embedder has one group", () => {
    const { fit } = calibrateJudge(pairs(400), { ...many, embeddings: undefined }, options);
    expect(fit).toMatchObject({ clusters: 1, temperature: null });
  });

  test("finds groups among items without labels, too", () => {
    const few = world(20, 6, randomFrom("a few"));
    const fixed = { ...options, clusters: 2, temperature: 0.1 } as const;
    const { fit } = calibrateJudge(pairs(20), few, fixed);
    const beside = calibrateJudge(pairs(20), { ...few, support: many.embeddings ?? [] }, fixed);
    expect(beside.fit.centroids).not.toEqual(fit.centroids);
    // More groups than labels can be told where there are items enough.
    const more = { ...fixed, clusters: 30 } as const;
    expect(calibrateJudge(pairs(20), few, more).fit.clusters).toBe(1);
    const { fit: of30 } = calibrateJudge(pairs(20), { ...few, support: many.embeddings }, more);
    expect(of30.clusters).toBe(30);
  });

  test("decides by all labels where it is cross-fitted, each by a judge without it", () => {
    const { method, n, split, certificate } = calibrateJudge(pairs(400), many, {
      ...options,
      certification: "cross-fitted",
      objective: "global-entropy",
      clusters: 2,
      lambda: 1,
    });
    expect({ method, n }).toEqual({ method: "cross-fitted", n: 400 });
    expect(split.fitting).toHaveLength(400);
    expect(certificate.threshold).not.toBeNull();
  });

  test("decides by each caption where it is cross-fitted, though review shows some of them", () => {
    const captions = pairs(400, (at) => `caption ${at % 200}`);
    const labelled = captions.map((pair, at) => ({ ...pair, isReviewed: at >= 200 && at < 280 }));
    const { n, split } = calibrateJudge(labelled, many, {
      ...options,
      certification: "cross-fitted",
      objective: "global-entropy",
      clusters: 2,
      lambda: 1,
    });
    expect(n).toBe(200);
    const reviewed = Array.from({ length: 80 }, (_, at) => 200 + at);
    expect(split).toMatchObject({ fitting: { length: 320 }, idle: reviewed, couldDecide: 200 });
  });

  test.each(["split", "cross-fitted"] as const)(
    "is the same with answers from review (%s)",
    (certification) => {
      const own = { ...options, certification, objective: "global-entropy", lambda: 1 } as const;
      const without = (count: number): FittingItems => ({
        ...many,
        labels: many.labels.slice(0, count),
        answers: many.answers.subarray(0, count * 6),
        embeddings: many.embeddings?.slice(0, count),
      });
      const before = calibrateJudge(pairs(200), without(200), own);
      const reviewed = pairs(400).map((pair, at) => ({ ...pair, isReviewed: at >= 200 }));
      const after = calibrateJudge(reviewed, many, own);
      expect(before.n).toBeGreaterThan(0);
      expect(after.certificate).toEqual(before.certificate);
      expect(after.counted).toEqual(before.counted);
      expect(after.fit.weights).toEqual(before.fit.weights);
    },
  );

  test("has less chance of error at each further try", () => {
    const at = (tries: number) => calibrateJudge(pairs(400), many, { ...options, tries });
    const [first, third] = [at(1), at(3)];
    expect(third.certificate.threshold).toBeGreaterThanOrEqual(first.certificate.threshold ?? 1);
    expect(ofTry({ ...assurance, tries: 3 }).confidence).toBeCloseTo(0.9875, 12);
    expect(third.certificate).toMatchObject({ errorBound: expect.any(Number) });
  });

  test("of few labels certifies nothing, and all of them fit", () => {
    const few = world(20, 6, randomFrom("few"));
    const { method, certificate, n, split } = calibrateJudge(pairs(20), few, options);
    expect({ method, n, fitting: split.fitting.length }).toEqual({
      method: "none",
      n: 0,
      fitting: 20,
    });
    expect(certificate).toMatchObject({ threshold: null, acceptedNeeded: 59 });
    expect(binomialUpperBound(0, 20, 0.95)).toBeCloseTo(0.139, 3);
  });

  test("reviews pairs that no prompt answered", () => {
    const answers = Float64Array.from(many.answers);
    answers.fill(Number.NaN, 0, 100 * 6);
    const { counted } = calibrateJudge(pairs(400), { ...many, answers }, options);
    expect(counted.counts.at(-1)?.accepted).toBeLessThan(350);
  });
});
