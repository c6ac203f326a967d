import { expect, test } from "vitest";
import { type ContrastiveRow, contrastive } from "../../analysis/pairs/contrastive.js";
import { failureRateDifference } from "../../analysis/pairs/failure-rate-difference.js";
import { contrastiveVerdict } from "./contrastive.js";

/** Forty rows of a metric, of which the first `failing` fail, ties among them as told. */
const rowsOf = (metric: string, failing: number, ties = 0): ContrastiveRow[] =>
  Array.from({ length: 40 }, (_, at) => ({
    id: String(at),
    metric,
    domain: "animals",
    correct: 0.5,
    adversarial: at < ties ? 0.5 : at < failing ? 0.6 : 0.4,
  }));

const concluded = (...metrics: readonly ContrastiveRow[][]) => {
  const rows = metrics.flat();
  return contrastiveVerdict(contrastive(rows, { resamples: 500 }), (metric, than) =>
    failureRateDifference(rows, { metric, than, resamples: 500 }),
  );
};
const verdictOf = (...metrics: readonly ContrastiveRow[][]) => concluded(...metrics).verdict;

test("one metric is set beside a coin", () => {
  expect(verdictOf(rowsOf("a", 32))).toMatch(
    /^a prefers the wrong image in 80.0 % \[\d+\.\d, \d+\.\d\] of 40 rows: more often than a coin would\.$/,
  );
  expect(verdictOf(rowsOf("a", 8, 2))).toMatch(/in 20.0 %.*less often/);
  expect(verdictOf(rowsOf("a", 21))).toContain("indistinguishable from a coin");
});

test("none of a few rows is not yet less often than a coin", () => {
  expect(verdictOf(rowsOf("a", 0))).toBe(
    "a prefers the wrong image in none of 40 rows (at most 7.2 % at 95 % confidence): " +
      "less often than a coin would.",
  );
  expect(verdictOf(rowsOf("a", 0).slice(0, 3))).toContain("indistinguishable from a coin");
  const prompts = rowsOf("a", 8).map((row, at) => ({ ...row, prompt: String(at % 2) }));
  const { verdict, findings } = concluded(prompts);
  expect(verdict).toContain("indistinguishable from a coin");
  expect(findings).toEqual([
    "Not significantly different from chance: a (8 of 40 rows fail, no ties).",
    "2 prompts are too few; it takes 6 to tell metrics from a coin or apart.",
  ]);
});

test("of several domains: that they are pooled, and the rate with equal weight for each", () => {
  const rows = [
    ...rowsOf("a", 30),
    ...rowsOf("a", 2)
      .slice(0, 10)
      .map((row) => ({ ...row, id: `o${row.id}`, domain: "objects" })),
  ];
  const { verdict, findings } = concluded(rows);
  expect(verdict).toContain("of 50 rows, 2 domains pooled: indistinguishable from a coin");
  // 30 of 40 and 2 of 10.
  expect(findings[0]).toBe(
    "Rates pool the rows of animals and objects; with equal weight for each domain: a 47.5 %.",
  );
});

test("who scores all images the same is not said to prefer the wrong one", () => {
  expect(verdictOf(rowsOf("a", 6), rowsOf("b", 40, 40))).toBe(
    "b scores both images the same, a failure, in all of 40 rows (at least 92.8 % at 95 % confidence); " +
      "a fails significantly less often (15.0 %).",
  );
  expect(verdictOf(rowsOf("a", 32, 3))).toMatch(/^a prefers the wrong image or ties in 80.0 %/);
});

test("people, as a study's table names its raters, are several", () => {
  expect(verdictOf(rowsOf("people", 32, 3))).toMatch(/^people prefer the wrong image or tie in/);
});

test("two metrics are ranked where the rows can tell them apart, and only there", () => {
  expect(verdictOf(rowsOf("a", 6), rowsOf("b", 30))).toMatch(
    /^b prefers the wrong image in 75.0 % \[.*\] of 40 rows; a does so significantly less often \(15.0 %\)\.$/,
  );
  expect(verdictOf(rowsOf("a", 20), rowsOf("b", 21))).toMatch(
    /^b prefers .*; indistinguishable from a \(50.0 %\)\.$/,
  );
});

test("of several none is left out: each stands beside a coin with its ties, or why it can't", () => {
  const unscored = rowsOf("f", 3).map((row) => ({ ...row, correct: null }));
  const { verdict, findings } = concluded(
    ...[rowsOf("a", 6), rowsOf("b", 35, 20), rowsOf("c", 7, 1), rowsOf("d", 19), rowsOf("e", 0)],
    unscored,
  );
  expect(verdict).toMatch(
    /^b prefers the wrong image or ties in 87.5 % \[.*\] of 40 rows; e does so significantly least often \(0.0 %\)\.$/,
  );
  expect(findings).toEqual([
    "More often wrong than a coin: b (35 of 40 rows fail, 20 of them ties).",
    "Less often wrong than a coin: c (7 of 40 rows fail, 1 of them a tie), a (6 of 40 rows fail, " +
      "no ties) and e (none of 40 rows fail).",
    "Not significantly different from chance: d (19 of 40 rows fail, no ties).",
    "Without a row that has both scores: f.",
  ]);
});

test("of several, whoever can't be told from the best is named", () => {
  const { findings } = concluded(rowsOf("a", 6), rowsOf("b", 30), rowsOf("c", 7), rowsOf("d", 8));
  expect(findings).toContain("Not significantly different from a: d and c.");
});

test("a verdict is one sentence of at most 25 words with at most one interval", () => {
  for (const failing of [0, 6, 20, 35, 40]) {
    for (const metrics of [[rowsOf("a", failing)], [rowsOf("a", failing), rowsOf("b", 12, 3)]]) {
      const verdict = verdictOf(...metrics, ...(metrics.length > 1 ? [rowsOf("c", 11)] : []));
      expect(verdict.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(25);
      expect(verdict.match(/\[/g)?.length ?? 0).toBeLessThanOrEqual(1);
      expect(verdict.match(/[.](?=\s|$)/g)).toHaveLength(1);
    }
  }
});

test("without a scored row there is no verdict", () => {
  const unscored = rowsOf("a", 3).map((row) => ({ ...row, correct: null }));
  expect(verdictOf(unscored)).toBe("Nothing can be concluded: no row has both scores.");
});

test("two metrics are apart from six rows on, even where one always fails and the other never", () => {
  const pair = (count: number) =>
    concluded(rowsOf("a", 40).slice(0, count), rowsOf("b", 0).slice(0, count));
  expect(pair(5).verdict).toContain("indistinguishable from b (0.0 %)");
  expect(pair(5).findings).toContain(
    "5 rows are too few; it takes 6 to tell metrics from a coin or apart.",
  );
  expect(pair(6).verdict).toContain("b does so significantly less often");
});
