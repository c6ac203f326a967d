import { expect, test } from "vitest";
import { isNoMetric, NumericColumns } from "./numeric-columns.js";

test.each([
  [Number.POSITIVE_INFINITY, "Infinity"],
  ["n/a!", '"n/a!"'],
  [10n ** 400n, "1000"],
])("a cell %s among numbers is quoted as it came", (cell, quoted) => {
  const columns = new NumericColumns([]);
  columns.add({ clip: 0.5 }, { place: "line 1", isText: false });
  columns.add({ clip: cell }, { place: "line 2", isText: false });
  expect(() => columns.names("a.parquet")).toThrow(
    `Expected numbers or nothing for clip but received ${quoted}`,
  );
});

test.each(["71.2 %", "0,712", "1,234.0", "[0.712]", "tensor(0.712)", '="0.712"'])(
  "a column of %s is refused by name, not passed over",
  (cell) => {
    const columns = new NumericColumns([]);
    for (const place of ["line 2", "line 3"]) columns.add({ clip: cell }, { place, isText: true });
    expect(() => columns.names("a.csv")).toThrow(/clip .*line 2/);
  },
);

test.each(["[0.1, 0.2]", "2024-05-01", "10:30", "a cat", "12 cats", "{0.712}"])(
  "a column of %s is no column of numbers",
  (cell) => {
    const columns = new NumericColumns([]);
    for (const place of ["line 2", "line 3"]) columns.add({ other: cell }, { place, isText: true });
    expect(columns.names("a.csv")).toEqual([]);
  },
);

test("what is said of a rating, or of how an image was made, is no metric", () => {
  const names = ["rating_std", "n_raters", "num_votes", "seed", "width", "rating_n", "timestamp"];
  expect(names.filter((name) => !isNoMetric(name, ["rating"]))).toEqual([]);
  const metrics = ["clip-score", "rating_model", "n", "stdclip", "human_like", "vqa_n", "seedream"];
  expect(metrics.filter((name) => isNoMetric(name, ["rating"]))).toEqual([]);
});
