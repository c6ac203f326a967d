import fc from "fast-check";
import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { pairedTTest } from "../../stats/paired-t-test.js";
import { predictionPoweredMean } from "../../stats/prediction-powered.js";
import { wilcoxonSignedRank } from "../../stats/wilcoxon.js";
import { type ComparisonOptions, comparison } from "./comparison.js";
import type { ComparisonRow } from "./comparison-samples.js";

const few = { resamples: 100, permutations: 200 };
const compare = (rows: readonly ComparisonRow[], options: ComparisonOptions = {}) =>
  comparison(rows, { ...few, ...options });
const rowsOf = (model: string, scores: readonly (number | null)[]): ComparisonRow[] =>
  scores.map((score, at) => ({ model, prompt: `prompt ${at}`, score }));
const small = [...rowsOf("a", [0.5, 0.4, 0.9, 0.3]), ...rowsOf("b", [0.7, 0.4, 0.6, 0.9])];

test("what differs by rounding is half a win, of scores and not of ratings", () => {
  const rows = Array.from({ length: 40 }, (_, at) => [
    { model: "a", prompt: String(at), score: 0.3 + 1e-9, human: 4 },
    { model: "b", prompt: String(at), score: 0.3, human: 4 - 1e-9 },
  ]).flat();
  const found = (tieTolerance?: number) => comparison(rows, { tieTolerance, resamples: 50 });
  expect(found()).toMatchObject({
    tieTolerance: 1e-6,
    tieRule: "a tie is half a win; scores within 1e-6 (relative) count as ties",
    pairs: [{ ties: 1, winRate: { value: 0.5 } }],
    humanCorrected: { pairs: [{ winRate: { value: 1 } }] },
  });
  expect(found(0)).toMatchObject({ tieTolerance: 0, pairs: [{ ties: 0, winRate: { value: 1 } }] });
  const lower = comparison(rows, { direction: "lower", tieTolerance: 0, resamples: 50 });
  expect(lower.pairs[0]?.winRate.value).toBe(0);
});

test("by hand: two models, four prompts, a tie", () => {
  const { models, pairs, n, unscored } = compare(small);
  expect({ n, unscored }).toEqual({ n: 8, unscored: 0 });
  expect(models.a?.mean.value).toBeCloseTo(0.525, 12);
  expect(models.b?.mean.value).toBeCloseTo(0.65, 12);
  const [pair] = pairs;
  expect(pair).toMatchObject({ a: "a", b: "b", n: 4, leftOut: 0, ties: 0.25 });
  // Differences -0.2, 0, 0.3, -0.6; a wins one and half of the tie.
  expect(pair?.difference.value).toBeCloseTo(-0.125, 12);
  expect(pair?.winRate.value).toBeCloseTo(0.375, 12);
  // |-0.5|: 12 of the 16 ways of turning 0.2, 0, 0.3, 0.6 sum to 0.5 or more.
  expect(pair?.p).toBe(0.75);
  expect(pair?.pAdjusted).toBe(0.75);
  expect(pair?.cohensDz).toBeCloseTo(
    pairedTTest([0.5, 0.4, 0.9, 0.3], [0.7, 0.4, 0.6, 0.9]).cohensDz ?? 9,
    12,
  );
});

test("where less is better the other one wins, and the difference stays", () => {
  const [higher] = compare(small).pairs;
  const [lower] = compare(small, { direction: "lower" }).pairs;
  expect(lower?.winRate.value).toBeCloseTo(1 - (higher?.winRate.value ?? 9), 12);
  expect(lower?.difference).toEqual(higher?.difference);
});

test("several images of a prompt: means for the difference, all pairs for the win rate", () => {
  const rows = [
    ...[0.2, 0.6].map((score) => ({ model: "a", prompt: "1", score })),
    ...[0.1, 0.6, 0.8].map((score) => ({ model: "b", prompt: "1", score })),
  ];
  const [pair] = compare(rows).pairs;
  expect(pair?.difference.value).toBeCloseTo(0.4 - 0.5, 12);
  // 0.2 beats 0.1; 0.6 beats 0.1 and ties 0.6: 2.5 of 6.
  expect(pair?.winRate.value).toBeCloseTo(2.5 / 6, 12);
  expect(pair?.ties).toBeCloseTo(1 / 6, 12);
});

test("unscored rows and prompts of one model only are counted, bounded and in nothing", () => {
  const rows = [...rowsOf("a", [0.5, null, 0.9, 0.3, 0.2]), ...rowsOf("b", [0.7, 0.4, 0.6, 0.9])];
  const { models, pairs, n, unscored, warnings } = compare(rows);
  expect({ n, unscored }).toEqual({ n: 8, unscored: 1 });
  expect(models.a).toMatchObject({ n: 4, unscored: 1 });
  expect(models.a?.bounds.low).toBeCloseTo((1.9 + 0.2) / 5, 12);
  expect(models.a?.bounds.high).toBeCloseTo((1.9 + 0.9) / 5, 12);
  const ranged = compare(rows, { range: [0, 1] });
  expect(ranged.models.a?.bounds.high).toBeCloseTo((1.9 + 1) / 5, 12);
  expect(pairs[0]).toMatchObject({ n: 3, leftOut: 2 });
  expect(warnings.join("\n")).toContain("a: 1 of 5 rows is unscored and excluded");
  expect(warnings.join("\n")).toContain("excluded from their comparison: 2 of 5 for a and b");
});

test("models without a prompt in common have no comparison, and say so", () => {
  const rows = [
    { model: "a", prompt: "1", score: 1 },
    { model: "b", prompt: "2", score: 1 },
  ];
  expect(compare(rows).pairs[0]).toMatchObject({
    n: 0,
    p: null,
    pAdjusted: null,
    cohensDz: null,
    ties: null,
    difference: { value: null, reason: "no prompt has scores of both" },
  });
});

test("tests and adjustments are those that were asked for", () => {
  const scores = [0.9, 0.1, 0.5, 0.3, 0.8, 0.2, 0.75];
  const shifted = (by: number) => scores.map((score, at) => score + by * ((at % 3) + 0.5));
  const rows = [
    ...rowsOf("a", scores),
    ...rowsOf("b", shifted(0.1)),
    ...rowsOf("c", shifted(-0.2)),
  ];
  const differences = scores.map((score, at) => score - (shifted(0.1)[at] ?? 0));
  // As they are ranked: without what rounding adds, which would part those that tie.
  const tenths = scores.map((_, at) => -((at % 3) + 0.5));
  const zeros = scores.map(() => 0);
  expect(compare(rows, { test: "t" }).pairs[0]?.p).toBe(pairedTTest(differences, zeros).p);
  expect(compare(rows, { test: "wilcoxon" }).pairs[0]?.p).toBe(wilcoxonSignedRank(tenths).p);
  // Of 2^7 ways of turning signs that are all alike, two are as far off.
  const p = 2 / 128;
  for (const [adjust, factor] of [
    ["none", 1],
    ["holm", 3],
    ["bh", 1],
    ["by", 1 + 1 / 2 + 1 / 3],
  ] as const) {
    for (const pair of compare(rows, { adjust }).pairs) {
      expect(pair.p).toBeCloseTo(p, 12);
      expect(pair.pAdjusted).toBeCloseTo(p * factor, 12);
    }
  }
});

test("the order of rows changes no number", () => {
  const rows = labelledTable({ prompts: 25, labels: 12 });
  const expected = compare(rows);
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (turned) => {
      const found = compare(turned);
      expect(found.pairs).toEqual(expected.pairs);
      expect(found.models.a?.mean.low).toBeCloseTo(expected.models.a?.mean.low ?? 9, 12);
      const [one, other] = [found, expected].map(
        (each) => each.humanCorrected?.pairs[0]?.difference,
      );
      expect(one?.value).toBeCloseTo(other?.value ?? 9, 12);
    }),
    { numRuns: 10 },
  );
});

test("a forecast of prompts is where a t-test would come to 0.05 over the number of pairs", () => {
  const table = labelledTable({ prompts: 40, labels: 0, ahead: -0.05 });
  const needed = compare(table).pairs[0]?.promptsNeeded ?? 0;
  const again = (times: number) => {
    const rows = Array.from({ length: times }, (_, copy) =>
      table.map((row) => ({ ...row, prompt: `${copy} ${row.prompt}` })),
    ).flat();
    return compare(rows, { test: "t" }).pairs[0]?.p ?? 0;
  };
  expect(needed).toBeGreaterThan(200);
  // Copies have nearly the same deviation.
  expect(again(Math.floor((needed / 40) * 0.85))).toBeGreaterThan(0.05);
  expect(again(Math.ceil((needed / 40) * 1.15))).toBeLessThan(0.05);
});

/** A metric that follows people, with b better by `ahead`; people rate the prompts that `isRated`. */
function labelledTable({
  prompts,
  labels,
  ahead = 0.3,
  isRated = (prompt: number) => (prompt * 7) % prompts < labels,
}: {
  readonly prompts: number;
  readonly labels: number;
  readonly ahead?: number;
  readonly isRated?: (prompt: number, difference: number) => boolean;
}): ComparisonRow[] {
  const random = randomFrom(3, "table");
  return Array.from({ length: prompts }, (_, prompt) => {
    const quality = [random.next(), random.next() + ahead];
    const scores = quality.map((each) => each + random.next() / 2);
    const rated = isRated(prompt, (scores[1] ?? 0) - (scores[0] ?? 0));
    return ["a", "b"].map((model, at) => ({
      model,
      prompt: `prompt ${prompt}`,
      score: scores[at] ?? 0,
      human: rated ? 1 + 4 * (quality[at] ?? 0) : null,
    }));
  }).flat();
}

test("people's labels and the metric make the estimates of prediction-powered inference", () => {
  const rows = labelledTable({ prompts: 100, labels: 30 });
  const corrected = compare(rows).humanCorrected;
  expect(corrected).toMatchObject({ sampling: "random", labels: 60 });
  const of = (model: string, which: "score" | "human") =>
    rows.filter((row) => row.model === model).map((row) => row[which] ?? null);
  const [scoresOfA, scoresOfB] = [of("a", "score"), of("b", "score")];
  const [ratingsOfA, ratingsOfB] = [of("a", "human"), of("b", "human")];
  const places = [...scoresOfA.keys()];
  const labelled = places.filter((at) => ratingsOfA[at] !== null);
  const rest = places.filter((at) => ratingsOfA[at] === null);
  const difference =
    (one: readonly (number | null)[], other: readonly (number | null)[]) => (at: number) =>
      (one[at] ?? 0) - (other[at] ?? 0);
  const win =
    (one: readonly (number | null)[], other: readonly (number | null)[]) => (at: number) =>
      (one[at] ?? 0) > (other[at] ?? 0) ? 1 : 0;
  const [pair] = corrected?.pairs ?? [];
  expect(pair).toMatchObject({ a: "a", b: "b", n: 30, prompts: 100 });
  for (const [found, compareBy, largestWeight] of [
    [pair?.difference, difference, Number.POSITIVE_INFINITY],
    [pair?.winRate, win, 1],
  ] as const) {
    const expected = predictionPoweredMean({
      human: labelled.map(compareBy(ratingsOfA, ratingsOfB)),
      metric: labelled.map(compareBy(scoresOfA, scoresOfB)),
      others: rest.map(compareBy(scoresOfA, scoresOfB)),
      largestWeight,
    });
    expect(found?.value).toBeCloseTo(expected.value ?? 9, 12);
    expect(found?.low).toBeCloseTo(Math.max(expected.low ?? 9, compareBy === win ? 0 : -9), 12);
    expect(found?.weight).toBeCloseTo(expected.weight, 12);
  }
  // On people's scale, where b is ahead by 4 x 0.3.
  expect(pair?.difference.low).toBeLessThan(-1.2);
  expect(pair?.difference.high).toBeGreaterThan(-1.2);
  const { difference: byMetric } = compare(rows).pairs[0] ?? {};
  expect(byMetric?.value).toBeGreaterThan(-0.5);
  expect(corrected?.models.b?.n).toBe(30);
  expect(corrected?.models.b?.mean.value).toBeGreaterThan(3.5);
});

test("labels of all are taken as they are", () => {
  const rows = labelledTable({ prompts: 40, labels: 40 });
  const [pair] = compare(rows).humanCorrected?.pairs ?? [];
  expect(pair?.difference.weight).toBe(0);
  const ratings = (model: string) =>
    rows.filter((row) => row.model === model).map((row) => row.human ?? 0);
  const { meanDifference } = pairedTTest(ratings("a"), ratings("b"));
  expect(pair?.difference.value).toBeCloseTo(meanDifference ?? 9, 12);
});

test("without labels there is no correction", () => {
  expect(compare(small)).not.toHaveProperty("humanCorrected");
});

test.each<[string, Parameters<typeof labelledTable>[0], string]>([
  ["too few", { prompts: 100, labels: 9 }, "9 labelled prompts; 10 or more are needed"],
  [
    "the best of b",
    { prompts: 200, labels: 0, isRated: (_, difference) => difference > 0.6 },
    "not a random sample: the differences of a and b are lower where there are labels",
  ],
  [
    "the undecided",
    { prompts: 200, labels: 0, isRated: (_, difference) => Math.abs(difference - 0.3) < 0.15 },
    "not a random sample: the differences of a and b are more ordinary where",
  ],
])("labels of %s are refused", (_, table, reason) => {
  const [pair] = compare(labelledTable(table)).humanCorrected?.pairs ?? [];
  for (const found of [pair?.difference, pair?.winRate]) {
    expect(found).toMatchObject({ value: null, low: null, high: null });
    expect(found?.reason).toContain(reason);
  }
  expect(pair?.labelsNeeded).toEqual({ difference: null, winRate: null });
});

test("labels of one model alone carry its mean but no comparison", () => {
  const rows = labelledTable({ prompts: 60, labels: 30 }).map((row) =>
    row.model === "a" ? row : { ...row, human: null },
  );
  const corrected = compare(rows).humanCorrected;
  expect(corrected?.models.a?.mean.value).not.toBeNull();
  expect(corrected?.pairs[0]?.difference.reason).toBe("only a has labels, b has none");
});

test("labels of both models on other prompts each carry no comparison", () => {
  const rows = labelledTable({ prompts: 60, labels: 30 });
  const isFirst = (at: number) => Math.floor(at / 2) % 2 === 0;
  const apart = rows.map((row, at) =>
    (row.model === "a") === isFirst(at) ? row : { ...row, human: null },
  );
  const corrected = compare(apart).humanCorrected;
  expect(corrected?.models.a?.mean.value).not.toBeNull();
  expect(corrected?.pairs[0]?.difference.reason).toMatch(
    /^0 prompts have labels of both, though a has them on 1\d and b on 1\d; 10 or more are needed$/,
  );
});

test("a forecast of prompts is never less than sign flips can do with", () => {
  const clear = [...rowsOf("a", [1, 1.1]), ...rowsOf("b", [0, 0.05])];
  // 2 / 2^5 is above 0.05, 2 / 2^6 is not.
  expect(compare(clear).pairs[0]?.promptsNeeded).toBe(6);
});

test("labels that somebody says were chosen are refused, however they look", () => {
  const rows = labelledTable({ prompts: 60, labels: 30 });
  const corrected = compare(rows, { labels: "chosen" }).humanCorrected;
  expect(corrected?.pairs[0]?.difference.reason).toContain("said to be chosen");
  expect(corrected?.models.a?.mean.value).toBeNull();
});

test("labels on the first prompts of a table are warned of", () => {
  const first = labelledTable({ prompts: 60, labels: 0, isRated: (prompt) => prompt < 20 });
  expect(compare(first).warnings.join()).toContain("the first 20 of the table");
  expect(compare(labelledTable({ prompts: 60, labels: 20 })).warnings.join()).not.toContain(
    "first",
  );
});

test("random labels are refused about as seldom as the tests promise", () => {
  let refused = 0;
  for (let seed = 0; seed < 100; seed++) {
    const random = randomFrom(seed, "which");
    const rated = new Set(random.shuffle([...Array(80).keys()]).slice(0, 20));
    const rows = labelledTable({ prompts: 80, labels: 0, isRated: (prompt) => rated.has(prompt) });
    const corrected = compare(rows, { resamples: 100, permutations: 100 }).humanCorrected;
    if (corrected?.pairs[0]?.difference.value === null) refused += 1;
  }
  // Four tests at 0.001 each: 0.4 of a hundred are expected, more than 4 once in 6,000.
  expect(refused).toBeLessThanOrEqual(4);
});

test("bounds hold the mean, however sums round", () => {
  const values = [0.1, 0.2, 0.3, 0.7, 0.1, 1.1, 0.3, 0.6, 0.9, 0.2, 0.4, 0.8];
  for (let n = 2; n <= values.length; n += 1) {
    const rows = values
      .slice(0, n)
      .flatMap((score, at) =>
        ["a", "b"].map((model) => ({ model, prompt: `p${at}`, score: score / 3 })),
      );
    const { mean, bounds } = comparison(rows, { resamples: 10 }).models.a ?? {};
    expect(bounds).toEqual({ low: mean?.value, high: mean?.value });
  }
});
