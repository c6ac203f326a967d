import { expect, test } from "vitest";
import { type ConfusionSwapRow, swap } from "../../analysis/pairs/swap.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { confusionVerdict } from "./verdict.js";

const metricOf = (id: string): EvaluatedMetric => ({
  id,
  metric: id,
  version: 1,
  statistic: "probability",
  model: "test:m",
  range: [0, 1],
  direction: "higher",
});
const rowsOf = (metric: string, swappedOf: (at: number) => number): ConfusionSwapRow[] =>
  Array.from({ length: 40 }, (_, at) => ({
    id: `${at}`,
    metric,
    prompt: `p${at}`,
    set: "outfits",
    generator: "g",
    original: 0.5,
    swapped: swappedOf(at),
  }));
const failing = (count: number) => (at: number) => (at < count ? 0.9 : 0.1);
const tying = () => 0.5;

function verdictOf(
  swapped: Readonly<Record<string, (at: number) => number>>,
  told: readonly (readonly [metric: string, than: string])[],
  more: { isUnreferenced?: boolean; circular?: { metric: string; localizer: string }[] } = {},
) {
  const names = Object.keys(swapped);
  const rows = names.flatMap((name) => rowsOf(name, swapped[name] ?? tying));
  return confusionVerdict({
    standing: names.map(metricOf),
    selections: [
      {
        name: "all images",
        description: "as they were generated",
        images: 40,
        swap: swap(rows, { resamples: 100 }),
      },
    ],
    unseenLooks: [],
    isUnreferenced: false,
    circular: [],
    ...more,
    differences: told.map(([metric, than]) => ({
      metric,
      than,
      isTold: true,
      difference: { value: 0.5, low: 0.3, high: 0.7 },
    })),
  });
}

test("who ties everywhere is no better than a coin", () => {
  const said = verdictOf({ silent: tying, coin: failing(20), good: failing(4), bad: failing(36) }, [
    ["bad", "good"],
    ["silent", "good"],
    ["coin", "good"],
  ]);
  expect(said[0]).toMatch(
    /^bad prefers the swapped description for 90\.0 % \[.*\] of 40 images; good does better\.$/,
  );
  expect(said[1]).toBe("Counted are the 40 images as they were generated.");
  expect(said[2]).toMatch(/^good prefers the swapped description for 10\.0 %/);
  expect(said[3]).toContain("failures plus half of the ties");
  expect(said[4]).toMatch(/^silent scores both descriptions the same for all/);
  expect(said).toHaveLength(5);
});

test("nobody is called better than one that the data can't tell from it", () => {
  const three = { a: failing(30), b: failing(12), c: failing(10) };
  expect(verdictOf(three, [])[0]).toContain("; indistinguishable from c.");
  const [first, , best, second] = verdictOf(three, [["a", "c"]]);
  expect(first).toContain("; c does better.");
  expect(best).toContain("c prefers the swapped description for 25.0 %");
  expect(second).toBe("These data can't tell b and c apart.");
  // In whichever order the two stand.
  expect(
    verdictOf(three, [
      ["c", "a"],
      ["b", "c"],
    ])[3],
  ).toContain("Metrics are ranked");
});

test("one metric is compared with none", () => {
  expect(verdictOf({ a: failing(4) }, [])).toEqual([
    expect.stringMatching(/^a prefers the swapped description for 10\.0 % \[.*\] of 40 images\.$/),
    "Counted are the 40 images as they were generated.",
  ]);
  expect(verdictOf({}, [])).toEqual([
    "No metric scored an image against both of its descriptions.",
  ]);
});

test("of images that nobody described there is no verdict on metrics, and none is ranked", () => {
  const said = verdictOf({ sees: failing(12), guesses: failing(20) }, [], { isUnreferenced: true });
  expect(said[0]).toMatch(/^No verdict on metrics: nobody said what the 40 images show/);
  expect(said.join(" ")).not.toMatch(/fail|indistinguishable|better than|ranked/);
  expect(said.at(-1)).toContain("touchstone study create");
});

test("a metric whose own localiser chose what people saw is refused by name", () => {
  const circular = [{ metric: "localized-vqa-score", localizer: "segmenter" }];
  const said = verdictOf({ other: failing(4) }, [], { circular });
  expect(said.join(" ")).toMatch(/No verdict on localized-vqa-score: .*\(segmenter\)/);
});
