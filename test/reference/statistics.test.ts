import { expect, test } from "vitest";
import { agreement } from "../../src/analysis/agreement/agreement.js";
import { calibration } from "../../src/analysis/calibration/calibration.js";
import { correlation } from "../../src/analysis/correlation/correlation.js";
import reference from "./statistics.json" with { type: "json" };

const few = { resamples: 2 };
/** Within 1e-9; of p-values, which may be tiny, the ratio is. */
const expectNear = (found: number | null | undefined, expected: number, key: string) => {
  const difference = key.endsWith("_p")
    ? (found ?? Number.NaN) / expected - 1
    : (found ?? Number.NaN) - expected;
  expect(Math.abs(difference), key).toBeLessThan(1e-9);
};
/** Every key of a case has a number to be compared with, so that none is passed over. */
const expectEach = (
  expected: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
) => {
  expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
  for (const [key, value] of Object.entries(expected)) compare(found[key], value, key);
};
const compare = (found: unknown, expected: unknown, key: string): void => {
  if (typeof expected === "number") {
    expectNear(typeof found === "number" ? found : null, expected, key);
  } else if (Array.isArray(expected)) {
    expect(found, key).toHaveLength(expected.length);
    expected.forEach((each, at) => {
      compare(Array.isArray(found) ? found[at] : undefined, each, `${key}[${at}]`);
    });
  } else if (typeof expected === "object" && expected !== null) {
    expectEach({ ...expected }, { ...(typeof found === "object" ? found : {}) });
  } else expect(found, key).toBe(expected);
};

test.each(reference.correlation)("correlations and their p-values: $x.length rows", (expected) => {
  const { x, y, ...values } = expected;
  const rows = x.map((score, at) => ({ id: `${at}`, human: y[at] ?? null, scores: [score] }));
  const { m } = correlation({ human: "y", metrics: ["m"], rows }, { interval: "delta" }).metrics;
  expectEach(values, {
    pearson: m?.pearson.value,
    pearson_p: m?.p.pearson,
    spearman: m?.spearman.value,
    spearman_p: m?.p.spearman,
    kendall_tau_b: m?.kendallTauB.value,
  });
});

test.each(reference.agreement)("agreement of five raters: $raters.0.length items", (expected) => {
  const { raters, categories, ...values } = expected;
  const rows = raters.flatMap((ratings, annotator) =>
    ratings.map((value, item) => ({
      item: `${item}`,
      annotator: `${annotator}`,
      value: `${value}`,
    })),
  );
  const given = { scale: "ordinal", categories: categories.map(String), ...few } as const;
  const { pairwise, fleissKappa, majorityShare } = agreement(rows, given);
  expectEach(values, {
    cohen_kappa: pairwise?.cohen,
    linear_kappa: pairwise?.linear,
    quadratic_kappa: pairwise?.quadratic,
    fleiss_kappa: fleissKappa,
    mean_majority_share: majorityShare,
  });
});

test.each(reference.binary)("probabilities of $labels.length answers", (expected) => {
  const {
    labels,
    probabilities,
    error_coverage_by_falling_confidence: points,
    ...values
  } = expected;
  const rows = labels.map((label, at) => ({
    id: `${at}`,
    label,
    probability: probabilities[at] ?? null,
  }));
  const ten = calibration(rows, few);
  const fifteen = calibration(rows, { binCount: 15, ...few });
  expectEach(values, {
    ece10: ten.ece,
    mce10: ten.mce,
    ece15: fifteen.ece,
    mce15: fifteen.mce,
    reliability10: ten.bins.flatMap(({ n: count, accuracy, confidence }, bin) =>
      count === 0 ? [] : [{ bin, count, accuracy, confidence }],
    ),
    brier: ten.brier,
    "nll_clip_1e-15": ten.nll,
    accuracy: ten.accuracy,
    f1: ten.f1,
    f1_macro: ten.f1Macro,
    kappa: ten.kappa,
    roc_auc: ten.rocAuc,
    average_precision: ten.averagePrecision,
  });
  for (const { coverage, error, threshold } of points ?? []) {
    const near = ten.coverage.find((point) => Math.abs(point.coverage - coverage) < 1e-9);
    compare({ ...near }, { coverage, error, threshold }, "coverage");
  }
});
