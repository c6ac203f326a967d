import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { type ComparisonOptions, comparison } from "./comparison.js";
import { type Baseline, comparisonGate } from "./comparison-gate.js";
import type { ComparisonRow } from "./comparison-samples.js";
import type { ScoreMeasure } from "./score-measure.js";

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
/** As an earlier version wrote it. */
const meansAlone: Baseline = { kind: "conclusion", ...before, scores: undefined };
const tableOf = (rows: readonly ComparisonRow[]): Baseline => ({
  kind: "table",
  metric: "score",
  rows,
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

test("a conclusion sees what its table sees: its prompts are paired", () => {
  const rows = [...rowsOf("a", -0.05), ...rowsOf("new", -9)];
  const found = gateOf(rows, { baseline: conclusion });
  expect(found).toMatchObject({ against: "conclusion", paired: true, passed: false });
  expect(found).toMatchObject({ gone: ["gone"], added: ["new"], cautions: [] });
  const table = gateOf(rows, { baseline: tableOf([...rowsOf("a", 0), ...rowsOf("gone", 0)]) });
  expect(found.models).toEqual(table.models);
  expect(found.models).toMatchObject([
    { model: "a", isSure: true, passed: false, prompts: { shared: 60, onlyBefore: 0, onlyNow: 0 } },
  ]);
  expect(found.models[0]?.change?.value).toBeCloseTo(-0.05, 12);
  expect(found.models[0]?.change?.high).toBeLessThan(0);
});

test("means alone count as independent, and that small changes stay unseen is said", () => {
  const rows = rowsOf("a", -0.05);
  const found = gateOf(rows, { baseline: meansAlone });
  expect(found).toMatchObject({ against: "conclusion", paired: false, passed: true });
  expect(found.cautions).toEqual([expect.stringContaining("no scores of single prompts")]);
  const [one] = found.models;
  expect(one?.change?.value).toBeCloseTo(-0.05, 12);
  // MOVER by hand.
  const [now, old] = [comparison(rows, settings), before].map((each) => each.models.a?.mean);
  const down = Math.hypot(
    (now?.value ?? 0) - (now?.low ?? 0),
    (old?.high ?? 0) - (old?.value ?? 0),
  );
  expect(one?.change?.low).toBeCloseTo(-0.05 - down, 12);
});

test("prompts that only one side has scores of are counted and said", () => {
  const rows = rowsOf("a", 0.01).map((row, at) => (at < 3 ? { ...row, score: null } : row));
  const more = { model: "a", prompt: "another", score: 0.5 };
  const found = gateOf([...rows, more], { baseline: conclusion });
  expect(found.models[0]?.prompts).toEqual({ shared: 57, onlyBefore: 3, onlyNow: 1 });
  expect(found).toMatchObject({
    passed: true,
    cautions: [
      "a: 3 of 60 prompts of the baseline have no score now",
      "a: 1 of 58 prompts now has no score in the baseline",
    ],
  });
});

test("what can't be judged misses the gate, with the reason", () => {
  const five = rowsOf("a", 0.05).slice(0, 5);
  expect(gateOf(five, { baseline: conclusion })).toMatchObject({
    passed: false,
    models: [{ isSure: false, unjudged: "5 prompts have scores before and now; it takes 6" }],
  });
  expect(gateOf(five, { baseline: conclusion, failUnder: -9 }).passed).toBe(false);
  // A baseline as small: better passes, as few as they are; worse may be chance, and is not passed.
  const small = tableOf(rowsOf("a", 0).slice(0, 5));
  expect(gateOf(five, { baseline: small })).toMatchObject({
    passed: true,
    cautions: ["a: 5 prompts are too few to tell a change from chance: it takes 6"],
  });
  const worse = rowsOf("a", -0.05).slice(0, 5);
  expect(gateOf(worse, { baseline: small })).toMatchObject({
    passed: false,
    models: [{ isSure: false, unjudged: expect.stringContaining("it takes 6") }],
  });
  const none = rowsOf("a", 0).map((row) => ({ ...row, score: null }));
  expect(gateOf(none, { baseline: conclusion }).models[0]?.unjudged).toContain("0 prompts");
});

test("scores of another model, version or range are refused, of another scale doubted", () => {
  const rows = rowsOf("a", 0);
  const measure: ScoreMeasure = { model: "lab:vqa@1", metricVersion: "1", range: [0, 1] };
  const now = comparison(rows, { ...settings, measure });
  const against = (other: ScoreMeasure) =>
    comparisonGate(rows, now, { ...settings, baseline: { ...conclusion, measure: other } });
  expect(against(measure).passed).toBe(true);
  expect(() => against({ ...measure, model: "lab:vqa@2" })).toThrow(
    "Expected a baseline of the same score but it differs in the model (lab:vqa@2 before, lab:vqa@1 now)",
  );
  expect(() => against({ ...measure, metricVersion: "2" })).toThrow("the version of the metric");
  expect(() => against({ ...measure, range: [0, 100] })).toThrow("0 to 100 before");
  const percent = rows.map((row) => ({ ...row, score: 100 * (row.score ?? 0) }));
  const { cautions } = gateOf(percent, { baseline: conclusion });
  expect(cautions).toEqual([expect.stringContaining("see that the scale is the same")]);
  const turned = { ...tableOf(rows), direction: "lower" as const };
  expect(() => gateOf(rows, { baseline: turned })).toThrow("Expected a baseline of score (higher");
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
