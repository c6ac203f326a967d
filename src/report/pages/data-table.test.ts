import { expect, test } from "vitest";
import { above, dataTable } from "./data-table.js";

const { source } = dataTable({
  name: "Rates",
  caption: "n < 3",
  columns: [
    { title: "metric" },
    { title: "where", kind: "short" },
    { title: "rate", kind: "number", group: "triplets" },
    { title: "n", kind: "number", group: "triplets" },
  ],
  rows: [
    { heading: "clip", rule: true, cells: ["all", "31.2", 900] },
    { heading: above, cells: ["animals", "28.0", 300] },
    { heading: "vqa", rule: true, cells: ["all", "9.0", 900] },
  ],
});

test("a heading holds for the rows that go on from it", () => {
  expect(source).toContain('<tr class="rule"><th scope="rowgroup" rowspan="2">clip</th>');
  expect(source).toContain('<tr><td class="short">animals</td><td class="number">28.0</td>');
  expect(source).toContain('<tr class="rule"><th scope="row">vqa</th>');
});

test("neighbours of one group share a heading, text is escaped", () => {
  expect(source).toContain(
    '<tr><td colspan="2"></td><th scope="colgroup" colspan="2" class="group">triplets</th></tr>',
  );
  expect(source).toContain('<p class="caption">n &lt; 3</p>\n<div class="scroll"');
});
