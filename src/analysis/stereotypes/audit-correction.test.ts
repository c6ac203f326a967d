import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { auditCorrection } from "./audit-correction.js";
import type { StereotypeRow } from "./stereotype-row.js";

const few = { resamples: 200 };

interface World {
  readonly queries: number;
  /** How often an item is really there, before and after. */
  readonly rates: Readonly<Record<StereotypeRow["phase"], number>>;
  readonly sensitivity: number;
  readonly specificity: number;
  /** The share of queries whose answers an expert gave, too. */
  readonly labelled: Readonly<Record<StereotypeRow["phase"], number>>;
}

/** An audit by a judge with known errors, in which the answers of a query are alike. */
function audit(world: World, seed: number): StereotypeRow[] {
  const random = randomFrom("audit", seed);
  const rows: StereotypeRow[] = [];
  for (let query = 0; query < world.queries; query++) {
    for (const phase of ["initial", "refined"] as const) {
      const rate = Math.min(1, world.rates[phase] * random.between(0.5, 1.5));
      const isLabelled = random.chance(world.labelled[phase]);
      for (let item = 0; item < 10; item++) {
        const truth = random.chance(rate);
        const says = random.chance(truth ? world.sensitivity : 1 - world.specificity);
        rows.push({
          query: `q${query}`,
          category: "c",
          model: "m",
          phase,
          imageSet: "1",
          item: `i${item}`,
          present: says ? 1 : 0,
          expert: isLabelled ? (truth ? 1 : 0) : null,
        });
      }
    }
  }
  return rows;
}

const world: World = {
  queries: 60,
  rates: { initial: 0.4, refined: 0.15 },
  sensitivity: 0.85,
  specificity: 0.9,
  labelled: { initial: 0.5, refined: 0.5 },
};

test("where an expert answered everything, it says what the expert says", () => {
  const rows = audit({ ...world, specificity: 0.8, labelled: { initial: 1, refined: 1 } }, 1);
  const { shares, falls } = auditCorrection(rows, few);
  for (const { category, model, phase, corrected, apparent } of shares) {
    const its = rows.filter((row) => row.phase === phase);
    const share = its.filter(({ expert }) => expert === 1).length / its.length;
    expect([category, model]).toEqual([category, null]);
    expect(corrected.value).toBeCloseTo(share, 12);
    expect(apparent).not.toBeCloseTo(share, 3);
  }
  const [initial, refined] = shares;
  expect(falls[0]?.corrected.value).toBeCloseTo(
    (initial?.corrected.value ?? 0) - (refined?.corrected.value ?? 0),
    12,
  );
});

test.each(["percentile", "delta"] as const)("%s intervals hold the truth", (interval) => {
  const worlds = 100;
  let held = { initial: 0, fall: 0 };
  for (let seed = 0; seed < worlds; seed++) {
    const { shares, falls } = auditCorrection(audit(world, seed), { ...few, interval });
    const has = (
      estimate: { low: number | null; high: number | null } | undefined,
      truth: number,
    ) => (estimate?.low ?? 9) <= truth && truth <= (estimate?.high ?? -9);
    held = {
      initial: held.initial + (has(shares[0]?.corrected, 0.4) ? 1 : 0),
      fall: held.fall + (has(falls[0]?.corrected, 0.25) ? 1 : 0),
    };
  }
  // Of 100 intervals of 95 % fewer than 85 hold once in 20,000 times.
  expect(held.initial).toBeGreaterThanOrEqual(85);
  expect(held.fall).toBeGreaterThanOrEqual(85);
});

test("pooled strata count by their answers, however many of them were labelled", () => {
  const of = (model: string, answers: number, labelled: number, right: (at: number) => boolean) =>
    Array.from({ length: answers }, (_, at): StereotypeRow => {
      const truth = at % 2;
      return {
        query: `q${at % 7}`,
        category: "c",
        model,
        phase: "initial",
        imageSet: `${at}`,
        item: "i",
        present: (right(at) ? truth : 1 - truth) as 0 | 1,
        expert: at < labelled ? (truth as 0 | 1) : null,
      };
    });
  // One model is always judged right; of the other a quarter of each kind is wrong.
  const rows = [...of("a", 80, 8, () => true), ...of("b", 80, 80, (at) => at % 8 < 6)];
  const pooled = auditCorrection(rows, few).shares.find(
    ({ category, model }) => category === "c" && model === null,
  );
  expect(pooled?.sensitivity).toBeCloseTo((1 + 0.75) / 2, 12);
  expect(pooled?.specificity).toBeCloseTo((1 + 0.75) / 2, 12);
  expect(pooled).toMatchObject({ n: 160, labelled: 88 });
});

test("says why where labels define nothing, and what was cut", () => {
  const row = (at: number, present: 0 | 1, expert: 0 | 1 | null): StereotypeRow => ({
    query: `q${at}`,
    category: "c",
    model: "m",
    phase: "initial",
    imageSet: "1",
    item: "i",
    present,
    expert,
  });
  const reason = (rows: StereotypeRow[]) => auditCorrection(rows, few).shares[0]?.corrected.reason;
  expect(reason([row(1, 1, null)])).toBe("no label of an expert");
  expect(reason([row(1, 0, 0), row(2, 1, 0)])).toContain("sensitivity is not known");
  expect(reason([row(1, 0, 1), row(2, 1, 1)])).toContain("specificity is not known");
  expect(reason([row(1, 0, 1), row(2, 1, 0)])).toContain("no better than chance");
  const cut = auditCorrection(
    [
      ...[1, 2, 3, 4].map((at) => row(at, 1, 1)),
      ...[5, 6, 7].map((at) => row(at, 0, 0)),
      row(8, 1, 0),
      ...[9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((at) => row(at, 1, null)),
      ...Array.from({ length: 100 }, (_, at) => row(100 + at, 0, null)),
    ],
    few,
  );
  expect(cut.shares[0]).toMatchObject({ corrected: { value: 0, low: 0 } });
  expect(cut.shares[0]?.truncatedFrom).toBeLessThan(0);
  expect(cut.warnings.join()).toContain("all categories, initial (from −0.1");
  expect(cut.falls).toEqual([]);
});
