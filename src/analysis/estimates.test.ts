import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Estimate } from "../stats/estimate.js";
import { agreement } from "./agreement/agreement.js";
import { judgeAgreement } from "./agreement/judge-agreement.js";
import { calibration } from "./calibration/calibration.js";
import { comparison } from "./comparison/comparison.js";
import { comparisonGate } from "./comparison/comparison-gate.js";
import { attributes } from "./confusion/attributes.js";
import { correlationComparison } from "./correlation/correlation.js";
import { groupedCorrelation } from "./correlation/grouped-correlation.js";
import { ensemble } from "./ensemble/ensemble.js";
import { intervalKinds, noSpread, withInterval } from "./inference/intervals.js";
import { whichSide } from "./inference/one-sided-bound.js";
import { contrastive } from "./pairs/contrastive.js";
import { failureRateDifference } from "./pairs/failure-rate-difference.js";
import { prototypicalityEffect } from "./pairs/prototypicality-effect.js";
import { swap } from "./pairs/swap.js";
import { auditCorrection } from "./stereotypes/audit-correction.js";
import { selfAgreement } from "./stereotypes/audit-self-agreement.js";
import { auditValues } from "./stereotypes/audit-values.js";
import { stereotypes } from "./stereotypes/stereotypes.js";
import { trustCard } from "./trust-card/trust-card.js";

/** Every estimate in a conclusion, however deep, and where it stands. */
function estimatesIn(conclusion: unknown, path = ""): { path: string; estimate: Estimate }[] {
  if (typeof conclusion !== "object" || conclusion === null) return [];
  const own =
    "value" in conclusion && "low" in conclusion && "high" in conclusion
      ? [{ path, estimate: conclusion as Estimate }]
      : [];
  const members = Object.entries(conclusion);
  return [...own, ...members.flatMap(([name, each]) => estimatesIn(each, `${path}/${name}`))];
}

/** Fault of an estimate; undefined where it may be shown. */
function fault({ value, low, high, reason, oneSided }: Estimate): string | undefined {
  const numbers = [value, low, high, oneSided?.low ?? null, oneSided?.high ?? null];
  if (!numbers.every((one) => one === null || Number.isFinite(one))) return "not finite";
  if (value === null) {
    return low === null && high === null && reason ? undefined : "undefined without a reason";
  }
  if (oneSided !== undefined && !(oneSided.low <= value && value <= oneSided.high)) {
    return "outside its one-sided bounds";
  }
  if (low === null || high === null) {
    return low === high && reason ? undefined : "no interval and no reason";
  }
  if (!(low <= value && value <= high)) return "outside its interval";
  return low === high && oneSided === undefined ? "an interval without width" : undefined;
}

const faultsIn = (conclusion: unknown) =>
  estimatesIn(conclusion).flatMap(({ path, estimate }) => {
    const found = fault(estimate);
    return found === undefined ? [] : [`${path}: ${found}: ${JSON.stringify(estimate)}`];
  });

/** As many numbers as asked for: tied, constant, perfectly ordered, of any size, or without an answer. */
const scoresOf = (count: number): fc.Arbitrary<(number | null)[]> =>
  fc.oneof(
    fc.array(fc.constantFrom(0, 0.5, 1), { minLength: count, maxLength: count }),
    fc.array(fc.option(fc.constantFrom(0, 0.3, 1)), { minLength: count, maxLength: count }),
    fc.constantFrom(0, 1, 0.1, -3).map((one) => Array.from({ length: count }, () => one)),
    fc.constantFrom(1, -1, 1e-9).map((step) => Array.from({ length: count }, (_, at) => at * step)),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: count, maxLength: count }),
    fc.array(fc.constantFrom(1e300, -1e300, 1.7e308, 1e-300, 0), {
      minLength: count,
      maxLength: count,
    }),
  );

const tables = fc
  .record({
    count: fc.integer({ min: 1, max: 14 }),
    prompts: fc.constantFrom(1, 2, 4, 100),
    interval: fc.constantFrom(...intervalKinds),
  })
  .chain(({ count, ...rest }) =>
    fc.record({
      count: fc.constant(count),
      prompts: fc.constant(rest.prompts),
      options: fc.constant({ interval: rest.interval, resamples: 40 }),
      one: scoresOf(count),
      other: scoresOf(count),
      people: scoresOf(count),
    }),
  );
type Table = typeof tables extends fc.Arbitrary<infer Value> ? Value : never;

const holds = (conclude: (table: Table) => unknown, numRuns = 60) =>
  fc.assert(
    fc.property(tables, (table) => {
      expect(faultsIn(conclude(table))).toEqual([]);
    }),
    { numRuns, seed: 15 },
  );

const rowsOf = <Row>({ count, prompts }: Table, make: (at: number, prompt: string) => Row) =>
  Array.from({ length: count }, (_, at) => make(at, `p${at % prompts}`));

/** 0 or 1 of any number; null stays. */
const bit = (value: number | null | undefined): 0 | 1 | null =>
  value === null || value === undefined ? null : value > 0.4 ? 1 : 0;
const chance = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.min(1, Math.max(0, value));
const at = (values: readonly (number | null)[], place: number) => values[place] ?? null;

describe("of any table every estimate lies within its interval, or has none and says why", () => {
  test("contrastive, and the difference of two metrics", () =>
    holds((table) => {
      const rows = ["m", "k"].flatMap((metric) =>
        rowsOf(table, (row, prompt) => ({
          id: `${row}`,
          metric,
          domain: `d${row % 2}`,
          prompt,
          correct: at(table.one, row),
          adversarial: at(metric === "m" ? table.other : table.people, row),
        })),
      );
      return [
        contrastive(rows, table.options),
        failureRateDifference(rows, { metric: "m", than: "k", ...table.options }),
      ];
    }));

  test("correlation, by rows and by groups, with ties and differences", () =>
    holds((table) => {
      const rows = rowsOf(table, (row, prompt) => ({
        id: `${row}`,
        prompt,
        group: `g${row % 3}`,
        human: at(table.people, row),
        scores: [at(table.one, row), at(table.other, row)],
      }));
      const both = correlationComparison(
        { human: "h", metrics: ["a", "b"], rows },
        { ...table.options, tieCalibration: true, grouping: {} },
      );
      const counted = rows.map(({ human, ...row }) => ({
        ...row,
        counts: human === null ? null : ([bit(human) ?? 0, 1, row.scores.length - 1] as const),
      }));
      const grouped = groupedCorrelation(
        { human: "h", metrics: ["a", "b"], rows: counted },
        { target: "f1", groups: 3, seeds: 2, resamples: 20 },
      );
      const compared = { metric: "a", than: "b" } as const;
      const measures = ["spearman", "kendallTauB", "kendallTauC", "pearson"] as const;
      return [
        both.conclusion,
        grouped.conclusion,
        measures.map((measure) => both.difference({ ...compared, measure })),
        both.differenceWithin?.({ ...compared, measure: "kendallTauB" }),
        measures.map((measure) => grouped.difference({ ...compared, measure })),
      ];
    }));

  test("agreement", () =>
    holds((table) =>
      (["nominal", "ordinal", "interval"] as const).map((scale) =>
        agreement(
          ["one", "other", "people"].flatMap((annotator) =>
            rowsOf(table, (row) => {
              const value = bit(at(table[annotator as "one" | "other" | "people"], row));
              return { item: `${row}`, annotator, value: value === null ? undefined : `${value}` };
            }),
          ),
          { scale, resamples: 40 },
        ),
      ),
    ));

  test("calibration", () =>
    holds((table) =>
      calibration(
        rowsOf(table, (row, prompt) => ({
          id: `${row}`,
          prompt,
          label: bit(at(table.people, row)),
          probability: chance(at(table.one, row)),
        })),
        {
          ...table.options,
          interval: table.options.interval === "bca" ? "bca" : "percentile",
        },
      ),
    ));

  test("ensemble", () =>
    holds((table) => {
      const rows = (["validation", "test"] as const).flatMap((split) =>
        rowsOf(table, (row, prompt) => ({
          id: `${split}${row}`,
          split,
          prompt,
          membership: null,
          embedding: null,
          label: bit(at(table.people, row)) ?? 1,
          probabilities: [chance(at(table.one, row)) ?? 0.5, chance(at(table.other, row)) ?? 0.5],
        })),
      );
      return ensemble(rows, { resamples: 20, permutations: 20, restarts: 1 });
    }, 15));

  test("attributes", () =>
    holds((table) =>
      attributes(
        rowsOf(table, (row, prompt) => ({
          image: `${prompt}/${row % 4}`,
          prompt,
          entity: `e${row}`,
          attribute: "red",
          kind: row % 2 === 0 ? ("reflection" as const) : ("leakage" as const),
          probability: chance(at(table.one, row)),
        })),
        table.options,
      ),
    ));

  test("swap, and triplets beside their controls", () =>
    holds((table) => [
      swap(
        rowsOf(table, (row, prompt) => ({
          id: `${row}`,
          metric: "m",
          prompt,
          set: `s${row % 2}`,
          generator: "g",
          original: at(table.one, row),
          swapped: at(table.other, row),
        })),
        table.options,
      ),
      prototypicalityEffect(
        rowsOf(table, (row, prompt) => ({
          id: `${row}`,
          metric: "m",
          domain: `d${row % 2}`,
          prompt,
          knob: "k",
          comparison: (["contrastive", "control-atypical", "control-typical"] as const)[row % 3],
          correct: at(table.one, row),
          adversarial: at(table.other, row),
        })).flatMap(({ comparison, ...row }) =>
          comparison === undefined ? [] : [{ ...row, comparison }],
        ),
        table.options,
      ),
    ]));

  test("stereotypes, and what an audit adds", () =>
    holds((table) => {
      const rows = rowsOf(table, (row, query) => ({
        query,
        category: `c${row % 2}`,
        model: "m",
        imageSet: `${row}`,
        item: "i",
      })).flatMap((row, place) => [
        {
          ...row,
          phase: "initial" as const,
          present: bit(at(table.one, place)),
          expert: bit(at(table.people, place)),
        },
        {
          ...row,
          phase: "refined" as const,
          present: bit(at(table.other, place)),
          expert: bit(at(table.people, place)),
        },
      ]);
      const values = rows.map(({ present, ...row }) => ({ ...row, value: present }));
      const trials = [0, 1].flatMap((trial) => rows.map((row) => ({ ...row, trial })));
      return [
        stereotypes(rows, table.options),
        auditValues(values, [0, 1], table.options),
        auditCorrection(rows, table.options),
        selfAgreement(trials, { resamples: 20 }),
        judgeAgreement(rows, { resamples: 20 }),
      ];
    }));

  test("compare, with labels and as a gate", () =>
    holds((table) => {
      const rows = (["a", "b"] as const).flatMap((model) =>
        rowsOf(table, (row, prompt) => ({
          model,
          prompt: `${prompt}/${row % 7}`,
          score: at(model === "a" ? table.one : table.other, row),
          human: row % 2 === 0 ? at(table.people, row) : null,
        })),
      );
      const options = { ...table.options, permutations: 20 };
      const found = comparison(rows, options);
      const old = rows.map((row) => ({ ...row, score: row.human }));
      const baseline = { kind: "table", metric: "score", rows: old } as const;
      return [found, comparisonGate(rows, found, { ...options, baseline })];
    }));

  test("a trust card", () =>
    holds((table) => {
      const rows = rowsOf(table, (row, prompt) => [
        {
          id: `s${row}`,
          prompt,
          image: `${row % 5}`,
          score: at(table.one, row),
          human: at(table.people, row),
          label: bit(at(table.people, row)),
          probability: chance(at(table.other, row)),
          trial: `${row % 2}`,
          seconds: at(table.one, row),
          cost: 0.01,
        },
        {
          id: `d${row}`,
          prompt,
          image: `${row % 5}`,
          score: at(table.other, row),
          degradation: "noise",
          level: row % 3,
        },
        {
          id: `c${row}`,
          prompt,
          domain: "d",
          correct: at(table.one, row),
          adversarial: at(table.other, row),
          ...(row % 2 === 0 ? {} : { comparison: "attribute-swap" }),
        },
        {
          id: `j${row}`,
          prompt,
          equal: bit(at(table.people, row)),
          first: chance(at(table.one, row)),
          turned: chance(at(table.other, row)),
        },
      ]).flat();
      return trustCard(rows, { name: "m", direction: "higher", source: "t", ...table.options });
    }, 40));
});

describe("one place decides what is shown of an interval", () => {
  const whenNone = "no interval from one row";
  const shown = (value: number, low: number, high: number) =>
    withInterval(value, [low, high], { within: [-1, 1], whenNone });

  test("an ordinary one as it is, cut where the statistic can't lie", () => {
    expect(shown(0.5, 0.2, 0.7)).toEqual({ value: 0.5, low: 0.2, high: 0.7 });
    expect(shown(0.9, 0.7, 1.1)).toEqual({ value: 0.9, low: 0.7, high: 1 });
    // A bound that rounding left a hair off the value is the value.
    expect(shown(0.3, 0.1 + 0.2, 0.7)).toEqual({ value: 0.3, low: 0.3, high: 0.7 });
  });

  test("none where resamples agree, or to one side of the value, with the reason", () => {
    expect(shown(1, 1, 1)).toEqual({ value: 1, low: null, high: null, reason: noSpread });
    expect(shown(0.3, 0.1 + 0.2, 0.3)).toMatchObject({ low: null, reason: noSpread });
    expect(shown(0.998, 0.923, 0.993).reason).toContain("nearly all resamples lie below the value");
    expect(shown(0.01, 0.03, 0.2).reason).toContain("nearly all resamples lie above the value");
    expect(withInterval(1, undefined, { whenNone })).toMatchObject({ low: null, reason: whenNone });
    expect(withInterval(Number.POSITIVE_INFINITY, [0, 1], { whenNone }).value).toBeNull();
  });

  test("rows in perfect order have no interval, and still point one way", () => {
    const of = (count: number) => {
      const rows = Array.from({ length: count }, (_, row) => ({
        id: `${row}`,
        human: row,
        scores: [row / 10],
      }));
      return correlationComparison({ human: "h", metrics: ["m"], rows }).conclusion.metrics.m;
    };
    const six = of(6);
    expect(six?.kendallTauB).toMatchObject({ low: null, high: null, reason: noSpread });
    // Neither scores nor ratings are equal, so that the reason must not say so.
    expect(six?.kendallTauB.reason).toBe("no interval: it would have no width");
    expect(six?.kendallTauB.value).toBeCloseTo(1, 12);
    expect(six && whichSide(six.kendallTauB)).toBe("above");
    // Rows drawn twice tie, which tau-c counts against them: all resamples lie below 1.
    const forty = of(40)?.kendallTauC;
    expect(forty?.value).toBeCloseTo(1, 12);
    expect(forty).toMatchObject({ low: null, high: null });
    expect(forty?.reason).toContain("nearly all resamples lie below the value");
    expect(forty && whichSide(forty)).toBeUndefined();
  });
});
