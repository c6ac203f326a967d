import { assert, asyncProperty, constantFrom, string, tuple } from "fast-check";
import { expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { csvLine, plainText } from "./cell-table.js";
import { tableRows } from "./table-rows.js";

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["=cmd()", "'=cmd()"],
  ["+cmd", "'+cmd"],
  ["-cmd", "'-cmd"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ["'=cmd()", "''=cmd()"],
  ["'tis", "'tis"],
  ["-0.5", "-0.5"],
  ["+1e-7", "+1e-7"],
  [-0.5, "-0.5"],
  [null, ""],
])("%j is the cell %s, which no spreadsheet runs", (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\n`);
});

test("every text comes back from a file of ours", async () => {
  const prefix = constantFrom("", "'", "''", "=", "+", "-", "@", "'=", "''-", "\t");
  const text = tuple(prefix, string()).map((parts) => parts.join(""));
  await assert(
    asyncProperty(text, async (cell) => {
      const file = csvLine(["first", "=name"]) + csvLine(["x", cell]);
      const rows: unknown[] = [];
      const source = tableOf("ours.csv", file);
      for await (const { all } of tableRows({ source, columns: {} })) rows.push(all);
      expect(rows).toEqual([{ first: "x", "=name": cell }]);
    }),
  );
});

test("a quote of somebody else's that guards nothing stays", () => {
  expect(["'tis", "'", "''", "it's = 2"].map(plainText)).toEqual(["'tis", "'", "''", "it's = 2"]);
});
