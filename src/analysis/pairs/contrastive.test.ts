import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ContrastiveRow, contrastive } from "./contrastive.js";
import reference from "./contrastive-reference.json" with { type: "json" };

const row = (over: Partial<ContrastiveRow> & { id: string }): ContrastiveRow => ({
  metric: "m",
  domain: "animals",
  correct: 0.6,
  adversarial: 0.4,
  ...over,
});

const only = (rows: readonly ContrastiveRow[], options?: Parameters<typeof contrastive>[1]) => {
  const metric = contrastive(rows, { resamples: 50, ...options }).metrics.m;
  if (metric === undefined) throw new Error("no metric m");
  return metric;
};

test("equals the reference values of three domains", () => {
  const rows = reference.flatMap(({ domain, correct, adversarial }) =>
    correct.map((score, at) =>
      row({ id: `${domain}-${at}`, domain, correct: score, adversarial: adversarial[at] ?? null }),
    ),
  );
  const { domains, macro, overall } = only(rows);
  for (const { domain, ...expected } of reference) {
    const found = domains[domain];
    expect(found?.n).toBe(120);
    for (const name of [
      "failureRate",
      "correctMargin",
      "incorrectMargin",
      "meanCorrect",
      "meanAdversarial",
    ] as const) {
      expect(Math.abs((found?.[name].value ?? Number.NaN) - expected[name])).toBeLessThan(1e-9);
    }
  }
  const average = reference.reduce((sum, { incorrectMargin }) => sum + incorrectMargin / 3, 0);
  expect(macro.incorrectMargin.value).toBeCloseTo(average, 12);
  expect(overall.ties).toBe(6);
});

test("a tie is a failure, but not a strict one, and its margin counts as 0", () => {
  const { overall } = only([
    row({ id: "1", correct: 0.5, adversarial: 0.5 }),
    row({ id: "2", correct: 0.5, adversarial: 0.9 }),
    row({ id: "3", correct: 0.8, adversarial: 0.5 }),
    row({ id: "4", correct: 0.7, adversarial: 0.6 }),
  ]);
  expect(overall).toMatchObject({ n: 4, ties: 1, unscored: 0 });
  expect(overall.failureRate.value).toBe(0.5);
  expect(overall.strictFailureRate.value).toBe(0.25);
  expect(overall.incorrectMargin.value).toBeCloseTo(0.2, 12);
  expect(overall.correctMargin.value).toBeCloseTo(0.2, 12);
  expect(overall.difference.value).toBeCloseTo(0, 12);
});

describe("scores that differ by rounding alone", () => {
  const rows = [
    row({ id: "1", correct: 0.30000001, adversarial: 0.3 }),
    row({ id: "2", correct: 0.3, adversarial: 0.30000001 }),
    row({ id: "3", correct: 0.30001, adversarial: 0.3 }),
    row({ id: "4", correct: 0.3, adversarial: 0.30001 }),
  ];

  test("tie, and fail as every tie does, with a margin of 0", () => {
    const { overall } = only(rows);
    expect(overall).toMatchObject({ n: 4, ties: 2 });
    expect(overall.failureRate.value).toBe(3 / 4);
    expect(overall.strictFailureRate.value).toBe(1 / 4);
    expect(overall.incorrectMargin.value).toBeCloseTo(1e-5 / 3, 12);
    expect(overall.correctMargin.value).toBeCloseTo(1e-5, 12);
  });

  test("with tolerance 0 are no tie, scaled or not", () => {
    for (const scale of ["none", "minmax"] as const) {
      const { overall } = only(rows, { scale, tieTolerance: 0 });
      expect(overall).toMatchObject({ ties: 0, failureRate: { value: 1 / 2 } });
    }
    expect(only([row({ id: "1", adversarial: 0.6 })], { tieTolerance: 0 }).overall.ties).toBe(1);
  });

  test("tie by the scores as they are given, whatever a scale makes of them", () => {
    const high = [
      row({ id: "1", correct: 1000.0002, adversarial: 1000 }),
      row({ id: "2", correct: 1000.0002, adversarial: 1000.0001 }),
    ];
    const rangeOf = () => [1000, 1000.001] as const;
    for (const scale of ["none", "minmax", "range"] as const) {
      const { overall } = only(high, { scale, rangeOf });
      expect(overall).toMatchObject({ ties: 2, failureRate: { value: 1 } });
    }
  });

  test("are told from others by a tolerance that the conclusion names", () => {
    expect(contrastive(rows)).toMatchObject({
      tieTolerance: 1e-6,
      tieRule:
        "a tie is a failure: adversarial >= correct; " +
        "scores within 1e-6 (relative) count as ties",
    });
    expect(contrastive(rows, { tieTolerance: 0 })).toMatchObject({
      tieTolerance: 0,
      tieRule: "a tie is a failure: adversarial >= correct; only equal scores tie",
    });
    expect(only(rows, { tieTolerance: 1e-4 }).overall.ties).toBe(4);
  });
});

test("an unscored row is excluded from rates, and the bounds say what it could change", () => {
  const { overall, macro } = only([
    row({ id: "1" }),
    row({ id: "2", correct: 0.1 }),
    row({ id: "3", adversarial: null }),
    row({ id: "4", correct: null }),
    row({ id: "5", domain: "objects" }),
  ]);
  expect(overall).toMatchObject({ n: 3, unscored: 2, bounds: { low: 1 / 5, high: 3 / 5 } });
  expect(overall.failureRate.value).toBeCloseTo(1 / 3, 12);
  expect(macro.failureRate.value).toBeCloseTo(1 / 4, 12);
  expect(macro.bounds).toEqual({ low: 1 / 8, high: 3 / 8 });
});

describe("what is undefined is null with a reason", () => {
  test("margins without a row behind them", () => {
    const passing = only([row({ id: "1" }), row({ id: "2" })]);
    expect(passing.overall.incorrectMargin).toEqual({
      value: null,
      low: null,
      high: null,
      reason: "no failures",
    });
    const failing = only([row({ id: "1", correct: 0 }), row({ id: "2", correct: 0 })]);
    expect(failing.overall.correctMargin.reason).toBe("every row fails");
  });

  test("a macro average with a domain that has none, by name", () => {
    const { macro } = only([
      row({ id: "1", correct: 0.1 }),
      row({ id: "2", correct: 0.1 }),
      row({ id: "3", domain: "objects" }),
      row({ id: "4", domain: "demography", correct: null }),
    ]);
    expect(macro.incorrectMargin).toMatchObject({
      value: null,
      reason: "no scored rows in demography",
    });
    expect(macro.failureRate).toMatchObject({
      value: null,
      reason: "no scored rows in demography",
    });
  });

  test("everything where nothing is scored", () => {
    const { overall } = only([row({ id: "1", correct: null }), row({ id: "2", correct: null })]);
    expect(overall.n).toBe(0);
    expect(overall.failureRate).toMatchObject({ value: null, reason: "no scored rows" });
    expect(overall.correctMargin.reason).toBe("no scored rows");
    expect(overall.bounds).toEqual({ low: 0, high: 1 });
  });

  test("an interval from one prompt", () => {
    const { overall } = only([row({ id: "1", prompt: "p" }), row({ id: "2", prompt: "p" })]);
    expect(overall.failureRate).toEqual({
      value: 0,
      low: null,
      high: null,
      reason: "no interval from one prompt",
      oneSided: { low: 0, high: expect.closeTo(0.95, 12) },
    });
  });
});

test("where less is better, the lower score wins, and the margins stay positive", () => {
  const rows = [row({ id: "1", correct: 0.2, adversarial: 0.5 }), row({ id: "2", correct: 0.9 })];
  const { overall } = only(rows, { direction: "lower" });
  expect(overall.failureRate.value).toBe(0.5);
  expect(overall.correctMargin.value).toBeCloseTo(0.3, 12);
  expect(overall.incorrectMargin.value).toBeCloseTo(0.5, 12);
  expect(contrastive(rows, { direction: "lower" }).tieRule).toContain("<=");
});

describe("scales", () => {
  const rows = [
    row({ id: "1", correct: 10, adversarial: 30 }),
    row({ id: "2", correct: 50, adversarial: 20 }),
  ];

  test("minmax puts the file's ends at 0 and 1, for means and margins", () => {
    const { overall } = only(rows, { scale: "minmax" });
    expect(overall.meanCorrect.value).toBe(0.5);
    expect(overall.meanAdversarial.value).toBe(0.375);
    expect(overall.incorrectMargin.value).toBe(0.5);
    expect(overall.failureRate.value).toBe(0.5);
  });

  test("range puts the metric's own ends there", () => {
    const { overall } = only(rows, { scale: "range", rangeOf: () => [0, 100] });
    expect(overall.meanCorrect.value).toBeCloseTo(0.3, 12);
    expect(overall.correctMargin.value).toBeCloseTo(0.3, 12);
  });

  test("range without a range, and scores outside it, are the user's to mend", () => {
    expect(() => only(rows, { scale: "range" })).toThrow(/Expected a range for m/);
    expect(() => only(rows, { scale: "range", rangeOf: () => [0, 40] })).toThrow(
      /Expected scores of m in \[0, 40\] but received 50/,
    );
    expect(() => only(rows, { scale: "range", rangeOf: () => [1, 0] })).toThrow(
      /lower and a higher/,
    );
  });

  test("minmax of a constant metric leaves its means undefined, not its rates", () => {
    const constant = rows.map(({ id }) => row({ id, correct: 1, adversarial: 1 }));
    const { overall } = only(constant, { scale: "minmax" });
    expect(overall.meanCorrect.value).toBeNull();
    expect(overall.meanCorrect.reason).toMatch(/every score is the same/);
    expect(overall.failureRate.value).toBe(1);
  });
});

describe("warnings", () => {
  const many = (count: number, over: (at: number) => Partial<ContrastiveRow>) =>
    Array.from({ length: count }, (_, at) => row({ id: String(at), ...over(at) }));

  test("a sound table has none", () => {
    const rows = many(40, (at) => ({ correct: at % 2, prompt: `p${at}` }));
    expect(contrastive(rows, { resamples: 10 }).warnings).toEqual([]);
  });

  test("unscored rows, few prompts, rates at an end and rows without a prompt are named", () => {
    const rows = many(10, (at) => ({
      correct: at === 0 ? null : 1,
      ...(at > 7 ? {} : { prompt: `p${at}` }),
    }));
    const warnings = contrastive(rows, { resamples: 10 }).warnings.join("\n");
    expect(warnings).toContain("1 of 10 rows is unscored");
    expect(warnings).toContain("2 of 10 rows name no prompt");
    expect(warnings).toContain("intervals from 9 prompts");
    expect(warnings).toContain("with 9 prompts up to 28.3 % may still fail in animals");
  });

  test("what holds of several metrics is said once, and of all domains together first", () => {
    const rows = ["a", "b"].flatMap((metric) =>
      many(60, (at) => ({
        metric,
        domain: at < 20 ? "animals" : "objects",
        prompt: `p${at}`,
        adversarial: -1,
      })),
    );
    expect(contrastive(rows, { resamples: 10 }).warnings).toEqual([
      "a and b: where no row fails, the interval of the failure rate has no width: with 60 prompts " +
        "up to 4.9 % may still fail in all domains, with 20 prompts up to 13.9 % may still fail in " +
        "animals, with 40 prompts up to 7.2 % may still fail in objects",
    ]);
  });

  test("metrics that scored other rows or other domains are named", () => {
    const rows = [
      ...many(30, (at) => ({ correct: at % 2, domain: at < 15 ? "animals" : "objects" })),
      ...many(15, (at) => ({ metric: "other", correct: at % 2 })),
    ];
    const warnings = contrastive(rows, { resamples: 10 }).warnings.join("\n");
    expect(warnings).toContain("15 of 30 rows have scores of every metric");
    expect(warnings).toContain("other: no rows in objects");
  });
});

test("says how its intervals were made", () => {
  const rows = Array.from({ length: 25 }, (_, at) => row({ id: String(at), correct: at % 2 }));
  expect(contrastive(rows).intervals).toEqual({
    method: "percentile",
    level: 0.95,
    clusteredBy: "row",
    clusters: 25,
    resamples: 2000,
    seed: 0,
    text: "95 % percentile bootstrap: 2,000 resamples of 25 rows, seed 0",
  });
  expect(contrastive(rows, { interval: "delta" }).intervals.text).toBe(
    "95 % delta method over 25 rows",
  );
});

test("above 10,000 clusters the delta method takes over", () => {
  const rows = Array.from({ length: 10_001 }, (_, at) => row({ id: String(at), correct: at % 2 }));
  const { intervals, metrics } = contrastive(rows);
  expect(intervals.method).toBe("delta");
  expect(metrics.m?.overall.failureRate.low).toBeCloseTo(0.5 - 1.96 * 0.005, 3);
});

test("an empty table is an empty conclusion", () => {
  expect(contrastive([])).toMatchObject({ metrics: {}, n: 0, unscored: 0, warnings: [] });
});

describe("for any table", () => {
  const score = fc.option(fc.integer({ min: -20, max: 20 }), { freq: 8 });
  const rowsOf = fc
    .array(
      fc.record({
        metric: fc.constantFrom("a", "b"),
        domain: fc.constantFrom("animals", "objects", "demography"),
        prompt: fc.constantFrom("p", "q", "r", "s"),
        correct: score,
        adversarial: score,
      }),
      { minLength: 1, maxLength: 40 },
    )
    .map((rows) => rows.map((each, at): ContrastiveRow => ({ id: String(at), ...each })));
  const conclude = (rows: readonly ContrastiveRow[], options = {}) =>
    contrastive(rows, { resamples: 20, ...options }).metrics;

  /** Every summary by its place, with the members that `pick` takes from it. */
  const flat = <Picked>(
    metrics: ReturnType<typeof conclude>,
    pick: (summary: ReturnType<typeof only>["overall"]) => Picked,
  ): Record<string, Picked> =>
    Object.fromEntries(
      Object.entries(metrics).flatMap(([name, { overall, macro, domains }]): [string, Picked][] => [
        [`${name} overall`, pick(overall)],
        [`${name} macro`, pick(macro)],
        ...Object.entries(domains).map(([domain, each]): [string, Picked] => [
          `${name} ${domain}`,
          pick(each),
        ]),
      ]),
    );
  const rounded = (value: number | null) => (value === null ? null : Number(value.toFixed(9)) + 0);
  const values = (summary: ReturnType<typeof only>["overall"]) => ({
    n: summary.n,
    unscored: summary.unscored,
    failureRate: rounded(summary.failureRate.value),
    strictFailureRate: rounded(summary.strictFailureRate.value),
    meanCorrect: rounded(summary.meanCorrect.value),
    meanAdversarial: rounded(summary.meanAdversarial.value),
    difference: rounded(summary.difference.value),
    correctMargin: rounded(summary.correctMargin.value),
    incorrectMargin: rounded(summary.incorrectMargin.value),
  });
  const mapped = (rows: readonly ContrastiveRow[], map: (score: number) => number) =>
    rows.map((each) => ({
      ...each,
      correct: each.correct === null ? null : map(each.correct),
      adversarial: each.adversarial === null ? null : map(each.adversarial),
    }));

  test("a rising function of the scores changes no failure rate and no interval of one", () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const pick = (summary: ReturnType<typeof only>["overall"]) => summary.failureRate;
        expect(flat(conclude(mapped(rows, (x) => Math.exp(x / 5))), pick)).toEqual(
          flat(conclude(rows), pick),
        );
      }),
    );
  });

  test("the order of the rows changes nothing, intervals included", () => {
    fc.assert(
      fc.property(
        rowsOf.chain((rows) =>
          fc.tuple(
            fc.constant(rows),
            fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
          ),
        ),
        ([rows, shuffled]) => {
          const pick = (summary: ReturnType<typeof only>["overall"]) => ({
            ...values(summary),
            low: rounded(summary.failureRate.low),
            high: rounded(summary.difference.high),
          });
          expect(flat(conclude(shuffled), pick)).toEqual(flat(conclude(rows), pick));
        },
      ),
    );
  });

  test("a table twice over gives the same estimates from twice the rows", () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const twice = [...rows, ...rows.map((each) => ({ ...each, id: `again-${each.id}` }))];
        const doubled = flat(conclude(rows), (summary) => ({
          ...values(summary),
          n: summary.n * 2,
          unscored: summary.unscored * 2,
        }));
        expect(flat(conclude(twice), values)).toEqual(doubled);
      }),
    );
  });

  test("swapping the images and the direction keeps rates and margins, and swaps the means", () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const swapped = rows.map((each) => ({
          ...each,
          correct: each.adversarial,
          adversarial: each.correct,
        }));
        const expected = flat(conclude(rows), (summary) => {
          const { meanCorrect, meanAdversarial, difference, ...kept } = values(summary);
          return {
            ...kept,
            meanCorrect: meanAdversarial,
            meanAdversarial: meanCorrect,
            difference: difference === null ? null : 0 - difference,
          };
        });
        expect(flat(conclude(swapped, { direction: "lower" }), values)).toEqual(expected);
      }),
    );
  });

  test("shares lie in [0, 1], strict within failures, and the bounds hold the rate", () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const summaries = flat(conclude(rows), (summary) => summary);
        for (const { n, unscored, failureRate, strictFailureRate, bounds } of Object.values(
          summaries,
        )) {
          for (const { value, low, high } of [failureRate, strictFailureRate]) {
            for (const share of [value, low, high]) {
              if (share === null) continue;
              expect(share).toBeGreaterThanOrEqual(0);
              expect(share).toBeLessThanOrEqual(1);
            }
            if (low !== null && high !== null) expect(low).toBeLessThanOrEqual(high);
          }
          expect(strictFailureRate.value ?? 0).toBeLessThanOrEqual(failureRate.value ?? 1);
          expect(bounds.low).not.toBeNull();
          const rate = failureRate.value ?? bounds.low ?? 0;
          expect(rate).toBeGreaterThanOrEqual((bounds.low ?? 0) - 1e-12);
          expect(rate).toBeLessThanOrEqual((bounds.high ?? 1) + 1e-12);
          expect(n + unscored).toBeGreaterThan(0);
        }
      }),
    );
  });
});
