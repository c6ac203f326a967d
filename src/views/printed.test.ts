import { expect, test } from "vitest";
import { markdownOf } from "./markdown.js";
import { printed, printedTable } from "./printed.js";
import {
  countColumn,
  dataCells,
  numberColumn,
  percentColumn,
  probabilityColumn,
  textColumn,
  type View,
  type ViewTable,
} from "./view.js";

const estimate = { value: 0.5, low: 0.4, high: 0.6 };

const table: ViewTable = {
  title: "Rates",
  columns: [
    textColumn("metric", { isGroup: true }),
    countColumn("n", { isEssential: true }),
    percentColumn("rate, %", { id: "rate", spread: "interval" }),
    percentColumn("bounds, %", { id: "bounds", spread: "range" }),
    numberColumn("kappa", { decimals: 3 }),
    numberColumn("mean", { spread: "interval", ends: ["from", "to"] }),
    probabilityColumn("p"),
  ],
  rows: [
    ["clip", 1800, estimate, { low: 0.1, high: 1 }, 1, estimate, 0.0004],
    ["clip", 2, null, { low: null, high: null }, null, 0.25, 0.25],
    ["a|b", 0, 0.125, "", estimate, null, null],
  ],
};

test("prints a cell by the kind of its column, a repeated group once", () => {
  const { columns, rows } = printedTable(table);
  expect(columns[1]).toEqual({ title: "n", align: "right", isEssential: true });
  expect(rows).toEqual([
    [
      "clip",
      "1,800",
      "50.0 [40.0, 60.0]",
      "10.0 to 100.0",
      "1.000",
      "0.500 [0.400, 0.600]",
      "<0.001",
    ],
    ["", "2", "–", "–", "–", "0.250", "0.250"],
    ["a|b", "0", "12.5", "", "0.500 [0.400, 0.600]", "–", "–"],
  ]);
});

test("a file holds the same cells unrounded, under the headers of the columns", () => {
  expect(dataCells(table)).toEqual({
    columns: [
      "metric",
      "n",
      "rate",
      "rateLow",
      "rateHigh",
      "boundsLow",
      "boundsHigh",
      "kappa",
      "mean",
      "from",
      "to",
      "p",
    ],
    rows: [
      ["clip", 1800, 0.5, 0.4, 0.6, 0.1, 1, 1, 0.5, 0.4, 0.6, 0.0004],
      ["clip", 2, null, null, null, null, null, null, 0.25, null, null, 0.25],
      ["a|b", 0, 0.125, null, null, null, null, 0.5, null, null, null, null],
    ],
  });
});

test("names are no markup, and what would move a cursor is shown", () => {
  const view: View = { verdict: "\u001b[2J*a*", tables: [table], caveats: ["<b>"], method: "m" };
  expect(printed(view).verdict).toBe("\\u001b[2J*a*");
  const text = markdownOf(view, "touchstone");
  expect(text).toContain("\\*a\\*");
  expect(text).toContain("| a\\|b | 0 |");
  expect(text).toContain("- \\<b\\>");
});
