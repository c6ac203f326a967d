import {
  calibrationMeasured,
  calibrationStatistics,
} from "touchstone-t2i/internal/analysis/calibration/calibration-measures.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { labelLikelihoods } from "touchstone-t2i/internal/ensembles/label-likelihoods.js";
import {
  ensemblePrediction,
  promptWeights,
} from "touchstone-t2i/internal/ensembles/prompt-weights.js";
import { expect, test } from "vitest";
import { type AnswerRow, experimentAnswers } from "./answers.js";
import { drawnLabels, drawnPrompts, groupedPairs } from "./draws.js";
import {
  baselineMethods,
  columns,
  type GridDesign,
  gridChunks,
  gridSize,
  gridWork,
  paperGrid,
  resultWidth,
} from "./grid.js";
import { heldOut, widestHalf } from "./held-out.js";
import { experimentMetrics } from "./metrics.js";
import { GridResults } from "./results.js";
import { gridTables } from "./tables.js";

/** Prompts that are good on one of two kinds of image and toss a coin on the other. */
function rows(count: number, prompts = 6): AnswerRow[] {
  const random = randomFrom(5, "answers");
  return Array.from({ length: count }, (_, at) => {
    const kind = at % 2;
    const label = random.chance(0.5) ? 1 : 0;
    const embedding = [kind + 0.2 * random.next(), 1 - kind, random.next() * 0.2];
    const probabilities = Array.from({ length: prompts }, (__, prompt) => {
      const isGood = prompt % 2 === kind;
      const sure = 0.55 + 0.4 * random.next();
      return random.chance(isGood ? 0.95 : 0.5) === (label === 1) ? sure : 1 - sure;
    });
    return { id: `${at}`, group: `caption ${at >> 1}`, label, probabilities, embedding };
  });
}

const design: GridDesign = {
  ...paperGrid,
  prompts: [4, 6],
  labels: [5, 10],
  clusters: [2, 3],
  seeds: { training: 2, labels: 4, clusters: 2 },
  objectives: ["per-sample-entropy", "mixture"],
  lambda: 1,
  temperature: 0.1,
  seed: 3,
};

test("the paper's grid has 52,200 experiments", () => {
  const paper = { ...design, ...paperGrid, objectives: ["global-entropy"] as const };
  expect(gridSize(paper, 100)).toEqual({ experiments: 52_200, different: 52_200 });
  // Of 20 prompts all 20 can be drawn in one way only.
  expect(gridSize(paper, 20).different).toBe((52_200 * 7) / 9);
});

test("a chunk holds what fitting and measuring one by one give", () => {
  const answers = experimentAnswers(rows(400));
  const chunk = gridChunks(design, answers.prompts).find(({ key }) => key === "mmb-K3-c1-p4-t1");
  if (chunk === undefined) throw new Error("Expected the chunk");
  const results = gridWork(answers, design)(chunk);
  const used = drawnPrompts(answers.prompts, { count: 4, training: 1, seed: 3 });
  const pairs = groupedPairs(answers, { ...design, clusters: 3, cluster: 1 });
  design.objectives.forEach((objective, which) => {
    const chosen = drawnLabels(answers.pool, { count: 10, labels: 2, seed: 3 });
    const likelihoods = labelLikelihoods({
      labels: answers.pool.labels,
      prompts: 4,
      probabilities: columns(answers.pool, answers.prompts, used),
    });
    const { weights } = promptWeights(
      { likelihoods, membership: pairs.pool, groups: 3, chosen },
      { objective },
    );
    const predicted = ensemblePrediction({
      probabilities: columns(answers.test, answers.prompts, used),
      prompts: 4,
      membership: pairs.test,
      groups: 3,
      weights,
    });
    const values = calibrationMeasured(Float64Array.from(answers.test.labels), predicted, {
      binning: "equal-width",
      count: 10,
    })();
    const at = ((which * 2 + 1) * 4 + 2) * resultWidth;
    experimentMetrics.forEach((metric, number) => {
      const expected = values[calibrationStatistics.indexOf(metric as "ece")];
      if (metric !== "confidence")
        expect(results[at + number], metric).toBeCloseTo(expected ?? 0, 9);
    });
  });
});

test("a larger draw of labels holds the smaller one, a label of a caption first", () => {
  const { pool } = experimentAnswers(rows(200));
  const [few, many] = [5, 20].map((count) => drawnLabels(pool, { count, labels: 1, seed: 0 }));
  expect(many?.slice(0, 5)).toEqual(few);
  expect(new Set(Array.from(many ?? [], (row) => pool.group[row])).size).toBe(20);
  const all = drawnLabels(pool, { count: 1000, labels: 0, seed: 0 });
  expect([...all].sort((a, b) => a - b)).toEqual(Array.from(pool.labels, (_, row) => row));
});

test("pairs are dealt by whole captions, and what lacks an answer is left out and counted", () => {
  const some = rows(200).map((row, at) =>
    at < 3 ? { ...row, probabilities: [null, ...row.probabilities.slice(1)] } : row,
  );
  const answers = experimentAnswers(some);
  expect(answers.unscored).toBe(3);
  expect(answers.test.labels.length + answers.pool.labels.length).toBe(197);
  expect(answers.test.groups + answers.pool.groups).toBeLessThanOrEqual(100);
  expect(answers.warnings.join()).toContain("3 of 200 pairs");
  const silent = rows(200).map((row, at) =>
    at < 50 ? { ...row, probabilities: [...row.probabilities.slice(0, 5), null] } : row,
  );
  expect(experimentAnswers(silent).promptNumbers).toEqual([0, 1, 2, 3, 4]);
});

test("tables compare every method with the best of its setting", () => {
  const answers = experimentAnswers(rows(400));
  const work = gridWork(answers, design);
  const chunks = new Map(
    gridChunks(design, answers.prompts).map((chunk) => [chunk.key, work(chunk)]),
  );
  const results = new GridResults(design, chunks, answers.prompts);
  const tables = gridTables(results, { resamples: 50, permutations: 100 });
  expect(tables.methods).toEqual([
    ...baselineMethods(design),
    "mmb per-sample-entropy",
    "mmb mixture",
  ]);
  for (const prompts of design.prompts) {
    const accuracies = tables.methodsTable.filter(
      (cell) => cell.metric === "accuracy" && cell.prompts === prompts && cell.labels === 10,
    );
    const best = accuracies.filter(({ isBest }) => isBest);
    expect(best).toHaveLength(1);
    expect(best[0]?.estimate.value).toBe(
      Math.max(...accuracies.map(({ estimate }) => estimate.value ?? 0)),
    );
    expect(best[0]?.pAdjusted).toBeNull();
  }
  // The last point of a curve is all pairs: 1 - accuracy.
  const curve = tables.curves.find(({ method, labels }) => method === "average" && labels === 5);
  const average = tables.methodsTable.find(
    (cell) =>
      cell.method === "average" &&
      cell.metric === "accuracy" &&
      cell.prompts === tables.reference.prompts,
  );
  expect(curve?.points.at(-1)?.error.value).toBeCloseTo(1 - (average?.estimate.value ?? 0), 12);
});

test("held-out differences are those of the means, and intervals hold them", () => {
  const answers = experimentAnswers(rows(400), { testShare: 0.5 });
  const conclusion = heldOut(answers, {
    ...design,
    labels: 10,
    clusters: 2,
    resamples: 60,
  });
  const of = (name: string) => conclusion.methods.find(({ method }) => method === name)?.metrics;
  for (const metric of ["ece", "nll", "brier", "accuracy", "errorCoverageArea"] as const) {
    const found = conclusion.difference("mmb mixture", "average", metric);
    const [one, other] = [of("mmb mixture")?.[metric].value, of("average")?.[metric].value];
    expect(found?.value).toBeCloseTo((one ?? 0) - (other ?? 0), 12);
    expect(found?.low).toBeLessThan(found?.high ?? -1);
  }
  const probabilities = new Float64Array(answers.test.labels.length).map((_, row) => {
    const own = answers.test.probabilities.subarray(
      row * answers.prompts,
      (row + 1) * answers.prompts,
    );
    return own.reduce((sum, each) => sum + each, 0) / answers.prompts;
  });
  const values = calibrationMeasured(Float64Array.from(answers.test.labels), probabilities, {
    binning: "equal-width",
    count: 10,
  })();
  for (const metric of ["ece", "nll", "brier", "accuracy", "errorCoverageArea"] as const) {
    const expected = values[calibrationStatistics.indexOf(metric)];
    expect(of("average")?.[metric].value, metric).toBeCloseTo(expected ?? 0, 10);
  }
  expect(conclusion.difference("mmb mixture", "nothing", "ece")).toBeUndefined();
});

test("the widest interval is not known where one is missing", () => {
  const [narrow, wide] = [
    { value: 0.1, low: 0.09, high: 0.11 },
    { value: 0.1, low: 0.05, high: 0.15 },
  ];
  expect(widestHalf([narrow, wide])).toBeCloseTo(0.05, 12);
  expect(widestHalf([narrow, { value: 0.1, low: null, high: null }])).toBeNull();
});
