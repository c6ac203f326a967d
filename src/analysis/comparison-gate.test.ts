import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { type ComparisonOptions, comparison } from "./comparison.js";
import { type Baseline, comparisonGate } from "./comparison-gate.js";
import type { ComparisonRow } from "./comparison-samples.js";

/** Prompts differ far more than a model does from its earlier self: only pairing sees the change. */
function rowsOf(model: string, better: number): ComparisonRow[] {
  const random = randomFrom(5, "prompts");
  return Array.from({ length: 60 }, (_, at) => ({
    model,
    prompt: `prompt ${at}`,
    score: random.next() + better * (1 + ((at % 5) - 2) / 4),
  }));
}

const settings = { resamples: 200, permutations: 100 };
const before = comparison([...rowsOf("a", 0), ...rowsOf("gone", 0)], settings);
const conclusion: Baseline = { kind: "conclusion", ...before };
const tableOf = (rows: readonly ComparisonRow[]): Baseline => ({
  ...{ kind: "table", metric: "score", rows },
});

const gateOf = (
  rows: readonly ComparisonRow[],
  demands: {
    readonly baseline?: Baseline;
    readonly failUnder?: number;
    readonly direction?: ComparisonOptions["direction"];
  },
) => {
  const { direction } = demands;
  return comparisonGate(rows, comparison(rows, { ...settings, direction }), {
    ...settings,
    ...demands,
  });
};

test("without a baseline the mean must be what is demanded", () => {
  const rows = rowsOf("a", 0);
  const { value, high } = comparison(rows, settings).models.a?.mean ?? {};
  expect(gateOf(rows, { failUnder: value ?? 9 })).toMatchObject({ passed: true, against: "mean" });
  expect(gateOf(rows, { failUnder: (value ?? 9) + 1e-6 })).toMatchObject({
    passed: false,
    models: [{ model: "a", baseline: null, isSure: false, passed: false }],
  });
  expect(gateOf(rows, { failUnder: (high ?? 9) + 0.01 }).models[0]?.isSure).toBe(true);
  expect(() => gateOf(rows, { failUnder: 0, direction: "lower" })).toThrow("--baseline");
});

test("a drop of just what is allowed passes, whatever rounding makes of it", () => {
  const row = (score: number): ComparisonRow => ({ model: "a", prompt: "1", score });
  const baseline = tableOf([row(0.33)]);
  expect(0.31 - 0.33).toBeLessThan(-0.02);
  expect(gateOf([row(0.31)], { baseline, failUnder: -0.02 }).passed).toBe(true);
});

test("a model without a score fails", () => {
  const rows = rowsOf("a", 0).map((row) => ({ ...row, score: null }));
  expect(gateOf(rows, { failUnder: -1 }).passed).toBe(false);
  expect(gateOf(rows, { baseline: conclusion }).passed).toBe(false);
});

test("against a conclusion means are independent; against a table prompts are paired", () => {
  const rows = [...rowsOf("a", -0.05), ...rowsOf("new", -9)];
  const found = gateOf(rows, { baseline: conclusion });
  expect(found).toMatchObject({ against: "conclusion", passed: true, gone: ["gone"] });
  expect(found.models.map(({ model }) => model)).toEqual(["a"]);
  const [one] = found.models;
  expect(one?.change?.value).toBeCloseTo(-0.05, 12);
  // MOVER by hand.
  const [now, old] = [comparison(rows, settings), before].map((each) => each.models.a?.mean);
  const down = Math.hypot(
    (now?.value ?? 0) - (now?.low ?? 0),
    (old?.high ?? 0) - (old?.value ?? 0),
  );
  expect(one?.change?.low).toBeCloseTo(-0.05 - down, 12);

  const paired = gateOf(rows, { baseline: tableOf(rowsOf("a", 0)) });
  expect(paired).toMatchObject({ against: "table", passed: false });
  expect(paired.models[0]?.change?.value).toBeCloseTo(-0.05, 12);
  expect(paired.models[0]).toMatchObject({ isSure: true, passed: false });
  expect(paired.models[0]?.change?.high).toBeLessThan(0);
});

test("--fail-under allows a small drop, or demands a gain", () => {
  const rows = rowsOf("a", -0.05);
  const baseline = tableOf(rowsOf("a", 0));
  expect(gateOf(rows, { baseline, failUnder: -0.06 }).passed).toBe(true);
  expect(gateOf(rows, { baseline, failUnder: -0.04 }).passed).toBe(false);
  expect(gateOf(rowsOf("a", 0.05), { baseline, failUnder: 0.04 }).passed).toBe(true);
  expect(gateOf(rowsOf("a", 0.05), { baseline, failUnder: 0.06 }).passed).toBe(false);
});

test("where less is better a rise is a change for the worse", () => {
  const rows = rowsOf("a", 0.05);
  for (const baseline of [
    { ...conclusion, direction: "lower" as const },
    tableOf(rowsOf("a", 0)),
  ]) {
    const [found] = gateOf(rows, { baseline, direction: "lower" }).models;
    expect(found?.change?.value).toBeCloseTo(-0.05, 12);
    expect(found?.change?.low).toBeLessThan(-0.05);
  }
});

test("a baseline of other models, another metric or direction is refused", () => {
  expect(() => gateOf(rowsOf("b", 0), { baseline: conclusion })).toThrow(
    "Expected a model of the baseline (a and gone) in the table but it has b",
  );
  for (const other of [{ metric: "clip-score" }, { direction: "lower" as const }]) {
    const baseline = { ...conclusion, ...other };
    expect(() => gateOf(rowsOf("a", 0), { baseline })).toThrow("Expected a baseline of score");
  }
});

test("a model that the baseline lacks is named, and nothing is held against it", () => {
  const rows = [...rowsOf("a", 0), ...rowsOf("new", -9)];
  const gate = gateOf(rows, { baseline: conclusion });
  expect(gate).toMatchObject({ passed: true, gone: ["gone"], added: ["new"] });
  expect(gate.models.map(({ model }) => model)).toEqual(["a"]);
  expect(gateOf(rows, { failUnder: -99 }).added).toEqual([]);
});
