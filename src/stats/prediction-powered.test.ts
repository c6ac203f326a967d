import fc from "fast-check";
import { expect, test } from "vitest";
import { type Random, randomFrom } from "../core/random.js";
import { criticalT } from "./incomplete-beta.js";
import { labelsNeeded, predictionPoweredMean } from "./prediction-powered.js";

const human = [3, 5, 2, 4, 4, 1, 5, 2, 3, 4];
const metric = [0.2, 0.9, 0.3, 0.5, 0.7, 0.2, 0.8, 0.1, 0.6, 0.4];
const others = [0.3, 0.8, 0.5, 0.6, 0.1, 0.9, 0.7, 0.4, 0.2, 0.55, 0.65, 0.35];
const fiveTimes = (values: readonly number[]) => values.map((value) => 5 * value);

test("by hand: lambda = (1/8) / (2 x 15/56) = 7/30 and theta = 3/4 + 7/30 (3/4 - 1/2)", () => {
  const found = predictionPoweredMean({
    human: [1, 0, 1, 1],
    metric: [1, 0, 1, 0],
    others: [1, 1, 0, 1],
  });
  expect(found.weight).toBeCloseTo(7 / 30, 14);
  expect(found.value).toBeCloseTo(3 / 4 + 7 / 120, 14);
  // Rests 23/30, 0, 23/30, 1 and others that differ from 3/4 by 1/4 thrice and -3/4 once.
  const rests = [23 / 30, 0, 23 / 30, 1];
  const mean = rests.reduce((sum, rest) => sum + rest, 0) / 4;
  const squares =
    rests.reduce((sum, rest) => sum + (rest - mean) ** 2, 0) / 16 +
    ((7 / 30) ** 2 * (3 * 0.25 ** 2 + 0.75 ** 2)) / 16;
  expect(found.error).toBeCloseTo(Math.sqrt((4 / 2) * squares), 14);
  expect((found.high ?? 0) - (found.value ?? 0)).toBeCloseTo(
    criticalT(0.05, 2) * (found.error ?? 0),
    12,
  );
});

test("point estimates and, but for its corrections, errors are those of an independent program", () => {
  const cut = predictionPoweredMean({ human, metric, others });
  expect(cut.weight).toBe(1);
  expect(cut.value).toBeCloseTo(3.33416667, 8);
  const tuned = predictionPoweredMean({
    human,
    metric: fiveTimes(metric),
    others: fiveTimes(others),
  });
  expect(tuned.value).toBeCloseTo(3.38181149, 8);
  // Its interval is value +- 1.96 se, without g / (g - 2).
  const theirs = (3.97696347 - 2.78665952) / 2 / 1.959963984540054;
  expect((tuned.error ?? 0) / Math.sqrt(10 / 8)).toBeCloseTo(theirs, 7);
});

test("the unit of the metric is nothing where its weight is not cut, and noise is not used", () => {
  const free = { largestWeight: Number.POSITIVE_INFINITY };
  const one = predictionPoweredMean({ human, metric, others, ...free });
  const scaled = { human, metric: fiveTimes(metric), others: fiveTimes(others), ...free };
  const other = predictionPoweredMean(scaled);
  expect(other.value).toBeCloseTo(one.value ?? 0, 12);
  expect(other.error).toBeCloseTo(one.error ?? 0, 12);
  const against = predictionPoweredMean({ human, metric: metric.map((each) => -each), others });
  expect(against).toMatchObject({ weight: 0, value: 3.3 });
});

test("without others it is the mean of the labels", () => {
  const found = predictionPoweredMean({ human, metric, others: [] });
  expect(found).toMatchObject({ weight: 0, value: 3.3 });
  const squares = human.reduce((sum, label) => sum + (label - 3.3) ** 2, 0);
  expect(found.error).toBeCloseTo(Math.sqrt(((10 / 8) * squares) / 100), 12);
});

test("neither the order of items nor the names of clusters change anything", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...human.keys()], { minLength: 10 }), (order) => {
      const labelled = Int32Array.from([0, 0, 1, 1, 2, 2, 3, 3, 4, 4]);
      const unlabelled = Int32Array.from(others, (_, at) => at % 6);
      const at = (values: ArrayLike<number>) => order.map((place) => values[place] ?? 0);
      const one = { human, metric, others, clusters: { labelled, others: unlabelled } };
      const turned = {
        human: at(human),
        metric: at(metric),
        others,
        clusters: {
          labelled: Int32Array.from(at(labelled), (each) => 9 - each),
          others: unlabelled.map((each) => 9 - each),
        },
      };
      const [first, second] = [predictionPoweredMean(one), predictionPoweredMean(turned)];
      expect(second.value).toBeCloseTo(first.value ?? 0, 12);
      expect(second.error).toBeCloseTo(first.error ?? 0, 12);
    }),
  );
});

test("items that only repeat their cluster's add no certainty", () => {
  const twice = <T>(values: readonly T[]) => values.flatMap((value) => [value, value]);
  const once = predictionPoweredMean({ human, metric, others });
  const labelled = Int32Array.from(twice([...human.keys()]));
  const unlabelled = Int32Array.from(twice(others.map((_, at) => 100 + at)));
  const doubled = predictionPoweredMean({
    human: twice(human),
    metric: twice(metric),
    others: twice(others),
    clusters: { labelled, others: unlabelled },
  });
  expect(doubled.weight).toBe(once.weight);
  expect(doubled.error).toBeCloseTo(once.error ?? 0, 12);
});

test("what gives no interval says so", () => {
  expect(predictionPoweredMean({ human: [], metric: [], others }).reason).toBe(
    "nothing is labelled",
  );
  expect(predictionPoweredMean({ human: [1, 0], metric: [1, 0], others }).reason).toContain("few");
  const alike = predictionPoweredMean({ human: human.map(() => 1), metric, others });
  expect(alike).toMatchObject({ value: 1, low: null, reason: expect.stringContaining("agree") });
});

test("the forecast of labels is where the interval of as many labels begins to exclude", () => {
  const random = randomFrom(1, "labels");
  const items = Array.from({ length: 600 }, () => normalPair(random, 0.15, 0.7));
  const split = (labels: number) => ({
    human: items.slice(0, labels).map(([label]) => label),
    metric: items.slice(0, labels).map(([, score]) => score),
    others: items.slice(labels).map(([, score]) => score),
  });
  const few = split(40);
  const { value } = predictionPoweredMean(few);
  const more = labelsNeeded(few, { mean: value ?? 0, from: 0 });
  expect(more).toBeGreaterThan(20);
  // Variances as they are now: with as many more labels of just these values the bound is passed.
  expect(labelsNeeded(split(40), { mean: 10, from: 0 })).toBe(0);
  expect(labelsNeeded(split(40), { mean: 0.001, from: 0 })).toBeNull();
  const farther = labelsNeeded(few, { mean: 2 * (value ?? 0), from: 0 });
  expect(farther).toBeLessThan(more ?? 0);
});

/** Label and score correlated as said, the label with the mean said. */
function normalPair(random: Random, mean: number, correlation: number): [number, number] {
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const label = normal();
  return [mean + label, correlation * label + Math.sqrt(1 - correlation ** 2) * normal()];
}

const simulations = 400;
/** Four standard errors of a share of 0.95 over the simulations: one false alarm in 30,000. */
const bar = 4 * Math.sqrt((0.95 * 0.05) / simulations);

test.each([10, 30])("the interval covers as often as it says with %i labels", (labels) => {
  const random = randomFrom(0, "coverage", labels);
  let numbers = 0;
  let shares = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const draw = (one: () => [number, number]) => {
      const items = Array.from({ length: 200 }, one);
      return predictionPoweredMean({
        human: items.slice(0, labels).map(([label]) => label),
        metric: items.slice(0, labels).map(([, score]) => score),
        others: items.slice(labels).map(([, score]) => score),
      });
    };
    const covers = ({ low, high }: ReturnType<typeof draw>, truth: number) =>
      (low ?? 1) <= truth && truth <= (high ?? 0) ? 1 : 0;
    numbers += covers(
      draw(() => normalPair(random, 1, 0.8)),
      1,
    );
    const wins = draw(() => {
      const win = random.chance(0.55) ? 1 : 0;
      return [win, random.chance(0.75) ? win : 1 - win];
    });
    shares += covers(wins, 0.55);
  }
  for (const covered of [numbers, shares]) {
    expect(covered / simulations).toBeGreaterThan(0.95 - bar);
    expect(covered / simulations).toBeLessThanOrEqual(0.95 + bar);
  }
});

test("the interval covers as often as it says where images of a prompt are alike", () => {
  const random = randomFrom(0, "clustered coverage");
  let covered = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const sample = { human: [] as number[], metric: [] as number[], others: [] as number[] };
    const clusters = { labelled: [] as number[], others: [] as number[] };
    for (let prompt = 0; prompt < 100; prompt++) {
      const right = random.chance(0.5) ? 0.35 : 0.85;
      for (let image = 0; image < 3; image++) {
        const label = random.chance(right) ? 1 : 0;
        const score = random.chance(0.8) ? label : 1 - label;
        const isLabelled = prompt < 15;
        if (isLabelled) sample.human.push(label);
        sample[isLabelled ? "metric" : "others"].push(score);
        clusters[isLabelled ? "labelled" : "others"].push(prompt);
      }
    }
    const { low, high } = predictionPoweredMean({
      ...sample,
      clusters: {
        labelled: Int32Array.from(clusters.labelled),
        others: Int32Array.from(clusters.others),
      },
    });
    if ((low ?? 1) <= 0.6 && 0.6 <= (high ?? 0)) covered += 1;
  }
  expect(covered / simulations).toBeGreaterThan(0.95 - bar);
  expect(covered / simulations).toBeLessThanOrEqual(0.95 + bar);
});
