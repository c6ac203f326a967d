import { expect, test } from "vitest";
import reference from "./crowd-reference.json" with { type: "json" };
import type { PreferenceRow } from "./preference-cells.js";
import { preferences } from "./preferences.js";

const rows = reference.rows.map(
  ([a, b, preferred, annotator], at): PreferenceRow => ({
    a: `model ${a}`,
    b: `model ${b}`,
    preferred: preferred === "a" ? "a" : "b",
    annotator: `annotator ${annotator}`,
    prompt: String(at),
  }),
);

test("strengths and reliabilities are the likeliest, as an independent program finds them", () => {
  const found = preferences(rows, { raters: "crowd-bt", prior: reference.prior, resamples: 100 });
  for (const [model, strength] of reference.strengths.entries()) {
    expect(found.models[`model ${model}`]?.strength.value).toBeCloseTo(strength, 4);
  }
  for (const [annotator, reliability] of reference.reliability.entries()) {
    expect(found.raters?.[`annotator ${annotator}`]?.reliability.value).toBeCloseTo(reliability, 4);
  }
  // The adversary's whole interval lies below a coin's, the best annotators' above it.
  expect(found.raters?.["annotator 5"]?.reliability.high).toBeLessThan(0.5);
  expect(found.raters?.["annotator 0"]?.reliability.low).toBeGreaterThan(0.5);
  const alike = preferences(rows, { prior: reference.prior, resamples: 100 });
  const width = ({ models }: typeof found) => {
    const { low, high } = models["model 0"]?.strength ?? {};
    return (high ?? 0) - (low ?? 0);
  };
  expect(width(found)).toBeGreaterThan(0);
  expect(alike.raters).toBeUndefined();
});

test("it needs annotators in every row, ties as halves and resamples", () => {
  const unnamed = rows.map((row, at) => (at === 3 ? { ...row, annotator: undefined } : row));
  const crowd = { raters: "crowd-bt", resamples: 100 } as const;
  expect(() => preferences(unnamed, crowd)).toThrow("named in every row");
  expect(() => preferences(rows, { ...crowd, cluster: "prompt" })).toThrow("annotators");
  expect(() => preferences(rows, { ...crowd, ties: "davidson" })).toThrow("ties as halves");
  expect(() => preferences(rows, { ...crowd, interval: "delta" })).toThrow("resampled");
});
