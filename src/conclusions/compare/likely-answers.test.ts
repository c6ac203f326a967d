import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { put, run } = commandLines();
const few = ["--resamples", "100", "--permutations", "100"];

const rows = Array.from({ length: 24 }, (_, at) =>
  ["a", "b"].map((model) => {
    const score = ((at * 7) % 24) / 24 + (model === "b" ? 0.1 : 0);
    return {
      item: `${model}-${at}`,
      model,
      prompt: `p ${at}`,
      score,
      yes: at % 3 !== 0 || model === "b",
    };
  }),
).flat();

test("answers with probabilities, as analyze raters writes them, are labels of compare", async () => {
  const scores = rows.map(({ item, model, prompt, score }) => [item, model, prompt, score].join());
  await put("scores.csv", ["item,model,prompt,score", ...scores, ""].join("\n"));
  const answers = rows.map(({ item, yes }, at) =>
    [item, yes ? "yes" : "no", at % 2 ? 0.9 : 0.8].join(),
  );
  await put("answers.csv", ["item,answer,probability", ...answers, ""].join("\n"));
  const { stdout, code } = await run([
    "compare",
    "scores.csv",
    "answers.csv",
    "--join",
    "item",
    ...few,
    "--json",
  ]);
  expect(code).toBe(0);
  const { humanCorrected, warnings } = JSON.parse(stdout);
  // Of a: 8 no with 0.8, 16 yes with 0.8; of b: all yes with 0.9.
  expect(humanCorrected.models.a.mean.value).toBeCloseTo((16 * 0.8 + 8 * 0.2) / 24, 12);
  expect(humanCorrected.models.b.mean.value).toBeCloseTo(0.9, 12);
  const mean = (16 * 0.8 + 8 * 0.2) / 24;
  expect(humanCorrected.pairs[0].winRate.value).toBeCloseTo(0.5 + (mean - 0.9) / 2, 12);
  expect(warnings.join()).toContain("probabilities of yes");
});

test("an answer without a probability is no label", async () => {
  const lines = rows.map(({ model, prompt, score }) => [model, prompt, score, "yes"].join());
  await put("scores.csv", ["model,prompt,score,answer", ...lines, ""].join("\n"));
  const { stdout } = await run(["compare", "scores.csv", ...few, "--json"]);
  expect(JSON.parse(stdout)).not.toHaveProperty("humanCorrected");
});
