import { expect, test } from "vitest";
import { type ContrastiveRow, contrastive } from "../analysis/contrastive.js";
import { failureRateDifference } from "../analysis/failure-rate-difference.js";
import { contrastiveVerdict } from "./contrastive-verdict.js";

/** Forty rows of a metric, of which the first `failing` fail, ties among them as told. */
const rowsOf = (metric: string, failing: number, ties = 0): ContrastiveRow[] =>
  Array.from({ length: 40 }, (_, at) => ({
    id: String(at),
    metric,
    domain: "animals",
    correct: 0.5,
    adversarial: at < ties ? 0.5 : at < failing ? 0.6 : 0.4,
  }));

const verdictOf = (...metrics: readonly ContrastiveRow[][]) => {
  const rows = metrics.flat();
  return contrastiveVerdict(contrastive(rows, { resamples: 500 }), (metric, than) =>
    failureRateDifference(rows, { metric, than, resamples: 500 }),
  );
};

test("one metric is set beside a coin", () => {
  expect(verdictOf(rowsOf("a", 32))).toMatch(
    /^a prefers the wrong image in 80.0 % \[\d+\.\d, \d+\.\d\] of 40 rows: more often than a coin would\.$/,
  );
  expect(verdictOf(rowsOf("a", 8, 2))).toMatch(
    /image, or scores both the same, in 20.0 %.*less often/,
  );
  expect(verdictOf(rowsOf("a", 21))).toContain("can't tell it from tossing a coin");
});

test("none of a few rows is not yet less often than a coin", () => {
  expect(verdictOf(rowsOf("a", 0))).toBe(
    "a prefers the wrong image in none of 40 rows (at most 7.2 % at 95 % confidence): " +
      "less often than a coin would.",
  );
  expect(verdictOf(rowsOf("a", 0).slice(0, 3))).toContain("can't tell it from tossing a coin");
  const prompts = rowsOf("a", 8).map((row, at) => ({ ...row, prompt: String(at % 2) }));
  expect(verdictOf(prompts)).toContain("can't tell it from tossing a coin");
});

test("two metrics are ranked where the rows can tell them apart, and only there", () => {
  expect(verdictOf(rowsOf("a", 6), rowsOf("b", 30))).toMatch(
    /^b prefers .* 75.0 % .*; a does so less often, in 15.0 % \[\d+\.\d, \d+\.\d\]\.$/,
  );
  expect(verdictOf(rowsOf("a", 20), rowsOf("b", 21))).toMatch(
    /^b prefers .*; these rows can't tell it apart from a, which does so in 50.0 % /,
  );
});

test("of several, the best is named, with the one that can't be told from it", () => {
  const verdict = verdictOf(rowsOf("a", 6), rowsOf("b", 30), rowsOf("c", 7));
  expect(verdict).toMatch(/^b .*; a does so least often, in 15.0 % /);
  expect(verdict).toContain("These rows can't tell c and a apart.");
});

test("without a scored row there is no verdict", () => {
  const unscored = rowsOf("a", 3).map((row) => ({ ...row, correct: null }));
  expect(verdictOf(unscored)).toBe("Nothing can be concluded: no row has both scores.");
});

test("two metrics are apart from six rows on, even where one always fails and the other never", () => {
  const pair = (count: number) =>
    verdictOf(rowsOf("a", 40).slice(0, count), rowsOf("b", 0).slice(0, count));
  expect(pair(5)).toContain("can't tell it apart from b");
  expect(pair(6)).toContain("b does so less often");
});
