import { expect, test } from "vitest";
import { type PairRow, PairTable } from "./pair-sums.js";
import { swapWarnings } from "./swap-test.js";

const rowsOf = (metric: string, prompts: number, adversarialOf: (at: number) => number | null) =>
  Array.from(
    { length: prompts },
    (_, at): PairRow => ({
      id: `${at}`,
      metric,
      prompt: `p${at}`,
      domain: "outfits",
      correct: 0.5,
      adversarial: adversarialOf(at),
    }),
  );
const warned = (...rows: (readonly PairRow[])[]) =>
  swapWarnings(PairTable.of(rows.flat()), { method: "percentile" });

test("warns of few descriptions, and where none fails", () => {
  expect(
    warned(
      rowsOf("a", 8, (at) => (at < 4 ? 0.9 : 0.1)),
      rowsOf("b", 8, () => 0.5),
    ),
  ).toEqual([
    "a and b: intervals from 8 descriptions are too narrow",
    "b: no image fails, so the interval of the failure rate has no width: up to 31.2 % may still fail",
  ]);
});

test("warns of rare failures among many descriptions, and of none where they are not rare", () => {
  expect(warned(rowsOf("a", 40, (at) => (at < 4 ? 0.9 : 0.1)))).toEqual([
    expect.stringContaining("a: only 4 of 40 descriptions have a row that fails"),
  ]);
  expect(warned(rowsOf("a", 40, (at) => (at < 20 ? 0.9 : 0.1)))).toEqual([]);
});

test("warns of what is unscored", () => {
  const [unscored, different] = warned(
    rowsOf("a", 40, (at) => (at === 0 ? null : at < 20 ? 0.9 : 0.1)),
    rowsOf("b", 40, (at) => (at < 20 ? 0.9 : 0.1)),
  );
  expect(unscored).toBe("a: 1 of 40 images is unscored and excluded");
  expect(different).toContain("39 of 40 images have scores of every metric");
});
