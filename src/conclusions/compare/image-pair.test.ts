import { expect, test } from "vitest";
import { comparison } from "../../analysis/comparison/comparison.js";
import { type ComparisonRow, inColumns } from "../../analysis/comparison/comparison-samples.js";
import { textColumn } from "../../core/text-column.js";
import { comparedPair } from "./compare.js";

type ShownRow = ComparisonRow & { readonly image: string | undefined };

const row = (model: string, prompt: string, score: number | null, human: number | null = null) =>
  ({ model, prompt, score, human, image: `${model}/${prompt}.png` }) satisfies ShownRow;
const pairOf = (rows: readonly ShownRow[]) =>
  comparedPair(comparison(rows, { metric: "m", resamples: 100 }), {
    columns: inColumns(rows),
    image: textColumn(rows.map(({ image }) => image)),
    metric: "m",
  });

test("of the two best models the prompt on which they differ most", () => {
  const rows = [
    ...[row("a", "1", 0.9), row("a", "2", 0.8), row("a", "3", null)],
    ...[row("b", "1", 0.7), row("b", "2", 0.75), row("b", "3", 0.1)],
    ...[row("c", "1", 0), row("c", "2", 0), row("c", "3", 0)],
  ];
  expect(pairOf(rows)).toMatchObject({
    text: "1",
    sides: [{ name: "a", image: "a/1.png" }, { name: "b" }],
    isAsPeople: null,
  });
});

test("one that people order the other way comes first, and is said to", () => {
  const rows = [
    ...[row("a", "1", 0.9, 4), row("a", "2", 0.8, 1)],
    ...[row("b", "1", 0.5, 3), row("b", "2", 0.75, 5)],
  ];
  expect(pairOf(rows)).toMatchObject({
    text: "2",
    isAsPeople: false,
    why: "Where m orders a and b most clearly against people",
  });
});

test("none where the table names no images, or all scores are equal", () => {
  const rows = [row("a", "1", 0.5), row("b", "1", 0.5)];
  expect(pairOf(rows)).toBeUndefined();
  expect(
    pairOf([row("a", "1", 0.5), row("b", "1", 0.7)].map((one) => ({ ...one, image: undefined }))),
  ).toBeUndefined();
});
