import { expect, test } from "vitest";
import { NumericColumns } from "./numeric-columns.js";

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
