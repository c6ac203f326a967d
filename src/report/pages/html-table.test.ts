import { expect, test } from "vitest";
import { countColumn, named, percentColumn, textColumn } from "../../views/view.js";
import { tableOf } from "./html-table.js";

const clip = named("clip", "lab:dual-encoder-skewed");
const table = {
  title: "Rates",
  note: "n < 3",
  columns: [
    textColumn("metric", { isGroup: true }),
    textColumn("where"),
    percentColumn("rate", { heading: "triplets" }),
    countColumn("n", { heading: "triplets" }),
  ],
  rows: [
    [clip, "all", 0.312, 900],
    [clip, "animals", 0.28, 300],
    [named("clip", "lab:dual-encoder-skewed"), "all", 0.09, 900],
  ],
};

test("a heading holds for the rows that go on from it, not for a namesake", () => {
  const { source } = tableOf(table);
  expect(source).toContain(
    '<tr class="rule"><th scope="rowgroup" rowspan="2">clip<span class="model">lab:dual-encoder-skewed</span></th>',
  );
  expect(source).toContain('<tr><td class="short">animals</td><td class="number">28.0</td>');
  expect(source).toContain('<tr class="rule"><th scope="row">clip<');
});

test("neighbours share a heading, text is escaped", () => {
  const { source } = tableOf(table);
  expect(source).toContain(
    '<tr><td colspan="2"></td><th scope="colgroup" colspan="2" class="group">triplets</th></tr>',
  );
  expect(source).toContain('<p class="caption"><b>Rates.</b> n &lt; 3</p>');
});

test("a band stands across the table, above its rows", () => {
  const [, ...columns] = table.columns;
  const { source } = tableOf({
    ...table,
    columns: [textColumn("metric", { isGroup: true, isBand: true }), ...columns],
  });
  expect(source.match(/<th scope="rowgroup" colspan="3">/g)).toHaveLength(2);
});
