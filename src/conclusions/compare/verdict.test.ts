import { expect, test } from "vitest";
import { type ComparisonConclusion, comparison } from "../../analysis/comparison/comparison.js";
import type { CorrectedPair } from "../../analysis/comparison/comparison-labels.js";
import { comparisonFindings, comparisonVerdict } from "./verdict.js";

/** One score for each prompt. */
function rowsOf(model: string, scoreOf: (prompt: number) => number, prompts = 40) {
  return Array.from({ length: prompts }, (_, at) => ({
    model,
    prompt: `prompt ${String(at).padStart(3, "0")}`,
    score: scoreOf(at),
    human: null as number | null,
  }));
}
const spread = (at: number) => ((at * 17) % 40) / 40;
const verdictOf = (rows: ReturnType<typeof rowsOf>) =>
  comparisonVerdict(comparison(rows, { metric: "vqa-score", resamples: 200, permutations: 500 }));

test("nothing to conclude from no score, one model, or no prompt in common", () => {
  const unscored = rowsOf("a", spread).map((row) => ({ ...row, score: null }));
  expect(comparisonVerdict(comparison(unscored))).toBe(
    "Nothing can be concluded: no row has a score.",
  );
  expect(verdictOf(rowsOf("a", spread))).toMatch(/^Only a has scores: mean vqa-score 0\.\d+ \[/);
  const apart = [
    rowsOf("a", spread),
    rowsOf("b", spread).map((row) => ({ ...row, prompt: `${row.prompt}b` })),
  ];
  expect(verdictOf(apart.flat())).toBe(
    "Nothing can be concluded of a and b: no prompt has scores of both.",
  );
});

test("of fewer than six prompts the verdict says why it can't tell", () => {
  const few = [...rowsOf("a", spread, 3), ...rowsOf("b", (at) => spread(at) + 0.5, 3)];
  const verdict = verdictOf(few);
  expect(verdict).toMatch(
    /^Inconclusive: b wins .* against a on vqa-score; 3 prompts are too few; it takes 6\.$/,
  );
});

test("of two models the verdict is one short sentence with one interval", () => {
  const even = rowsOf("b", (at) => spread(at) + (at % 2 === 0 ? 0.1 : -0.09));
  const few = rowsOf("b", (at) => spread(at) + (at % 2 === 0 ? 1 : -0.05));
  for (const rows of [even, few]) {
    const verdict = verdictOf([...rowsOf("a", spread), ...rows]);
    expect(verdict).toMatch(/nconclusive/);
    expect(verdict.match(/\[/g)).toHaveLength(1);
    // An interval is a word.
    expect(verdict.replace(/\[.*?\]/, "[]").split(" ").length).toBeLessThanOrEqual(25);
  }
});

test("a better mean by a few great wins is not said to win most prompts", () => {
  const rows = [
    ...rowsOf("a", spread),
    ...rowsOf("b", (at) => spread(at) + (at % 2 === 0 ? 1 : -0.05)),
  ];
  expect(verdictOf(rows)).toMatch(
    /^b has the better mean vqa-score than a, by 0\.475 \[.*\]; whether it wins most of 40 prompts is inconclusive \(50\.0 %\)\.$/,
  );
});

test("a model whose own prompts were easier is not said to be better", () => {
  const rows = [
    ...rowsOf("a", spread),
    ...rowsOf("b", (at) => spread(at) - 0.1),
    ...rowsOf("b", () => 3, 60).slice(40),
  ];
  expect(verdictOf(rows)).toMatch(
    /^a beats b on vqa-score on the 40 prompts that both have scores of, though its mean over all its own is not better: b wins none of 40 prompts/,
  );
});

test("of several models it says in 25 words which are beaten and of which that is inconclusive", () => {
  const several = (ofB: number, ofC: number) => {
    const options = { metric: "vqa-score", resamples: 200, permutations: 500 };
    const rows = [
      ...rowsOf("a", (at) => spread(at) + ofC * ((at % 3) - 0.8)),
      ...rowsOf("b", (at) => spread(at) + ofB * ((at % 4) - 0.5)),
      ...rowsOf("c", (at) => spread(at) - 0.3 - at / 1000),
    ];
    const found = comparison(rows.flat(), options);
    const verdict = comparisonVerdict(found);
    expect(verdict.split(/\s+/).length).toBeLessThanOrEqual(25);
    return { verdict, findings: comparisonFindings(found) };
  };
  const clear = several(0.3, 0.01);
  expect(clear.verdict).toMatch(
    /^b beats every other model on vqa-score: it wins 75\.0 % \[.*\] of 40 prompts against a, the runner-up\.$/,
  );
  expect(clear.findings).toEqual([]);
  const unclear = several(0.02, 0.1);
  expect(unclear.verdict).toMatch(
    /^b has the best mean vqa-score; whether it beats a is inconclusive: it wins .* of 40 prompts against a\.$/,
  );
  expect(unclear.findings[0]).toBe("b has a significantly better mean vqa-score than c.");
});

/** As if people had been asked. */
function withPeople(
  winRate: NonNullable<ComparisonConclusion["humanCorrected"]>["pairs"][number]["winRate"],
  needed: number | null = null,
  standing: Pick<CorrectedPair, "preferred" | "contradiction"> = { preferred: null },
): string {
  const found = comparison([...rowsOf("a", spread), ...rowsOf("b", (at) => spread(at) + 0.1)], {
    resamples: 200,
  });
  const counted = { wins: 12, ties: 0, losses: 18, winRate: 0.4, difference: -0.2 };
  const about = {
    a: "a",
    b: "b",
    n: 30,
    prompts: 40,
    difference: winRate,
    winRate,
    counted,
    ...standing,
  };
  return comparisonVerdict({
    ...found,
    humanCorrected: {
      sampling: "random",
      labels: 60,
      models: {},
      method: "",
      pairs: [{ ...about, labelsNeeded: { difference: null, winRate: needed } }],
    },
  });
}

test("what people say is told from the side of the winner, with what is still needed", () => {
  expect(withPeople({ value: 0.45, low: 0.31, high: 0.59 }, 88.2)).toMatch(
    /^b beats a on score: wins all of 40 prompts .*\. People preferred b on 18 of 30 labelled prompts \(60\.0 %\)\. Estimated for all 40 from labels and scores \(prediction-powered inference\): b wins 55\.0 % \[41\.0, 69\.0\]; about 88 more labelled prompts would settle it\.$/,
  );
  expect(withPeople({ value: 0.45, low: 0.31, high: 0.59 }, 1234)).toContain("about 1,200 more");
  expect(withPeople({ value: 0.45, low: 0.31, high: 0.59 })).toMatch(
    /labels of all 40 would hardly settle it\.$/,
  );
  expect(withPeople({ value: 0.3, low: 0.2, high: 0.4 }, null, { preferred: "b" })).toMatch(
    /b wins 70\.0 % \[60\.0, 80\.0\]; people significantly prefer it\.$/,
  );
  expect(withPeople({ value: 0.7, low: 0.6, high: 0.8 }, null, { preferred: "a" })).toMatch(
    /b wins 30\.0 % \[20\.0, 40\.0\]; people significantly prefer a\.$/,
  );
});

test("where win rate and difference of the same labels contradict each other, neither is significant", () => {
  const contradiction = "only one of them is significant";
  const said = withPeople({ value: 0.3, low: 0.2, high: 0.4 }, null, {
    preferred: null,
    contradiction,
  });
  expect(said).toMatch(
    /; neither this nor the difference of the same labels counts as significant, since only one of them is significant\.$/,
  );
  expect(said).not.toContain("more than chance");
});

test("labels that were refused, or all agree, claim nothing", () => {
  expect(withPeople({ value: null, low: null, high: null, reason: "too few" })).toMatch(
    /\(60\.0 %\)\. People's labels are not used: too few\.$/,
  );
  expect(withPeople({ value: 0, low: null, high: null, reason: "all labels agree" })).toMatch(
    /b wins all; no interval, since all labels agree\.$/,
  );
});
