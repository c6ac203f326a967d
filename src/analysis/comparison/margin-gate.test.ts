import { expect, test } from "vitest";
import { textColumn } from "../../core/text-column.js";
import { comparison } from "./comparison.js";
import { type ComparisonRow, inColumns } from "./comparison-samples.js";
import { type MarginOptions, marginGate } from "./margin-gate.js";
import reference from "./margin-gate-reference.json" with { type: "json" };
import { marginPlan } from "./margin-plan.js";

const rowsOf = (scores: readonly (number | null)[], model = "m"): ComparisonRow[] =>
  scores.map((score, at) => ({ model, prompt: `${at}`, score }));

const columnsOf = (scores: readonly (number | null)[]) => inColumns(rowsOf(scores));

function gate(
  now: readonly ComparisonRow[],
  before: readonly ComparisonRow[],
  options: Partial<MarginOptions>,
) {
  return marginGate(inColumns(now), comparison(now, { interval: "t" }), {
    baseline: { kind: "table", metric: "score", rows: before },
    notWorse: null,
    same: null,
    ...options,
  });
}

/** Scores of many values around 0.5, those of `wave` moved by a wave of the prompts. */
const scores = (count: number, offset = 0, wave = 0) =>
  Array.from(
    { length: count },
    (_, at) => 0.5 + ((at * 37) % 101) / 1000 + offset + wave * Math.sin(at * 12.9898),
  );

test("by Student's t the interval and the tests are those of statsmodels", () => {
  for (const { before, now, margin, low, high, tost, lower } of reference) {
    const held = (margins: Partial<MarginOptions>) =>
      gate(rowsOf(now), rowsOf(before), { ...margins, isT: true }).models[0];
    const found = held({ notWorse: margin });
    expect(found?.change.low).toBeCloseTo(low, 9);
    expect(found?.change.high).toBeCloseTo(high, 9);
    expect(found?.state === "as-good").toBe(lower < 0.05);
    expect(held({ same: margin })?.state === "as-good").toBe(tost < 0.05);
  }
});

test("one side is as good, worse or neither, and says what would decide", () => {
  const before = rowsOf(scores(40));
  const state = (offset: number, wave: number, margin: number) =>
    gate(rowsOf(scores(40, offset, wave)), before, { notWorse: margin }).models[0];
  expect(state(0, 0.02, 0.02)).toMatchObject({ state: "as-good", prompts: { needed: null } });
  expect(state(-0.05, 0.02, 0.02)).toMatchObject({ state: "worse", passed: false });
  // Below 0 but not below the margin.
  expect(state(-0.02, 0.02, 0.021)).toMatchObject({ state: "worse" });
  const open = state(0, 0.2, 0.02);
  expect(open).toMatchObject({ state: "undecided", passed: false, prompts: { shared: 40 } });
  expect(open?.prompts.needed).toBeGreaterThan(40);
  // An improvement is not worse, but not the same.
  expect(state(0.3, 0.02, 0.02)?.state).toBe("as-good");
  const same = gate(rowsOf(scores(40, 0.3, 0.02)), before, { same: 0.02 });
  expect(same).toMatchObject({ passed: false, models: [{ state: "better" }] });
});

test("where less is better a rise is a drop", () => {
  const [now, before] = [rowsOf(scores(40, 0.05, 0.01)), rowsOf(scores(40))];
  const found = marginGate(inColumns(now), comparison(now, { direction: "lower", interval: "t" }), {
    baseline: { kind: "table", metric: "score", rows: before },
    notWorse: 0.02,
    same: null,
  });
  expect(found.models[0]).toMatchObject({ state: "worse" });
  expect(found.models[0]?.change.value).toBeLessThan(0);
});

test("equal scores of many values show that nothing changed; of few values, only what so many prompts can", () => {
  const many = rowsOf(scores(20));
  expect(gate(many, many, { notWorse: 0.01 }).models[0]).toMatchObject({
    state: "as-good",
    change: { low: 0, high: 0 },
  });
  const few = rowsOf(Array.from({ length: 20 }, (_, at) => at % 2));
  const found = gate(few, few, { notWorse: 0.1 }).models[0];
  expect(found?.state).toBe("undecided");
  // 1 - 0.05^(1/20) of all images may have failed unseen.
  expect(found?.change.low).toBeCloseTo(-0.1391, 4);
  const ones = rowsOf(Array.from({ length: 20 }, () => 1));
  expect(gate(ones, ones, { notWorse: 0.1 }).passed).toBe(false);
  expect(gate(ones, ones, { notWorse: 0.15 }).passed).toBe(true);
});

test("too few prompts decide nothing, and unscored ones do not count", () => {
  const before = rowsOf(scores(9));
  const now = rowsOf(scores(9).map((score, at) => (at < 4 ? null : score + 0.1)));
  expect(gate(now, before, { notWorse: 0.02 }).models[0]).toMatchObject({
    state: "undecided",
    prompts: { shared: 5, onlyBefore: 4, onlyNow: 0 },
  });
});

test("a margin below the generator's own noise is refused; with one above, the noise is said", () => {
  const [now, before] = [rowsOf(scores(40, 0, 0.02)), rowsOf(scores(40))];
  const self = [columnsOf(scores(40, 0, -0.1))];
  expect(() => gate(now, before, { notWorse: 0.01, self })).toThrow(/at least 0\.0\d+/);
  const found = gate(now, before, { notWorse: 0.05, self });
  expect(found).toMatchObject({ noise: "self", passed: true });
  expect(found.floor).toBeGreaterThan(0.01);
  expect(found.proposed).toBeGreaterThan(found.floor ?? 1);
  expect(gate(now, before, { notWorse: 0.05 })).toMatchObject({ floor: null, proposed: null });
});

test("several images of a prompt tell the noise as well", () => {
  const twice = [...rowsOf(scores(40, 0, 0.02)), ...rowsOf(scores(40, 0, -0.02))];
  const found = gate(twice, twice, { notWorse: 0.001 });
  expect(found.noise).toBe("samples");
  expect(found.floor).toBeGreaterThan(0.001);
});

test("all models have to pass; the only one of either side needs no name in common", () => {
  const before = [...rowsOf(scores(40), "a"), ...rowsOf(scores(40), "b")];
  const now = [...rowsOf(scores(40, 0, 0.01), "a"), ...rowsOf(scores(40, -0.1, 0.01), "b")];
  const found = gate(now, before, { notWorse: 0.02 });
  expect(found.passed).toBe(false);
  expect(found.models.map(({ state }) => state)).toEqual(["as-good", "worse"]);
  const renamed = gate(rowsOf(scores(40, 0, 0.01), "a-int8"), rowsOf(scores(40), "a"), {
    notWorse: 0.02,
  });
  expect(renamed).toMatchObject({ passed: true, models: [{ model: "a-int8", before: "a" }] });
  expect(() => gate(now, rowsOf(scores(40), "c"), { notWorse: 0.02 })).toThrow(/baseline/);
});

test("a group that is worse misses the gate, though the mean is as good", () => {
  const before = rowsOf(scores(80));
  const now = rowsOf(
    scores(80, 0.02, 0.01).map((score, at) => (at % 4 === 0 ? score - 0.06 : score)),
  );
  const by = textColumn(now.map((_, at) => (at % 4 === 0 ? "counting" : "colour")));
  const found = gate(now, before, { notWorse: 0.02, by });
  expect(found.models[0]).toMatchObject({ state: "as-good" });
  expect(found.groups?.map(({ group, state }) => [group, state])).toEqual([
    ["counting", "worse"],
    ["colour", "as-good"],
  ]);
  expect(found.passed).toBe(false);
});

test("a plan takes the square of the margin's inverse, and fewer prompts by the generator's own noise", () => {
  const rows = columnsOf(scores(60));
  const plan = (notWorse: number, self: readonly (readonly number[])[] = []) =>
    marginPlan(rows, { notWorse, same: null, power: 0.8, self: self.map(columnsOf) });
  const [wide, narrow] = [plan(0.02), plan(0.01)];
  expect((narrow.prompts ?? 0) / (wide.prompts ?? 1)).toBeCloseTo(4, 0);
  expect(wide.perModel.m?.noise.from).toBe("prompts");
  const own = plan(0.01, [scores(60, 0, 0.01)]);
  expect(own.prompts).toBeLessThan(narrow.prompts ?? 0);
  expect(own).toMatchObject({ samples: 1, perModel: { m: { noise: { from: "self" } } } });
  // Unscored prompts are planned for on either side.
  const half = scores(60).map((score, at) => (at % 2 === 0 ? null : score));
  const gaps = marginPlan(columnsOf(half), { notWorse: 0.02, same: null, power: 0.8 });
  expect(gaps.prompts).toBeGreaterThan(3 * (wide.prompts ?? 0));
});
