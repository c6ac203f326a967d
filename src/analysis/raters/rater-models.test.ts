import { expect, test } from "vitest";
import { fitRaters, type RaterModel, type RaterTable } from "./rater-model.js";
import { dawidSkene, glad, mace, ordinal } from "./rater-models.js";
import reference from "./raters-reference.json" with { type: "json" };

const { items, raters, categories, rows } = reference;
const column = (at: number) => Int32Array.from(rows, (row) => row[at] ?? 0);
const table: RaterTable = {
  items,
  raters,
  categories,
  item: column(0),
  rater: column(1),
  label: column(2),
};

test.each<[string, RaterModel<never>, number[][]]>([
  ["Dawid and Skene", dawidSkene(0) as RaterModel<never>, reference.dawidSkene],
  ["MACE", mace() as RaterModel<never>, reference.mace],
  ["GLAD", glad() as RaterModel<never>, reference.glad],
  ["Shifted thresholds", ordinal() as RaterModel<never>, reference.ordinal],
])("%s give the probabilities of crowd-kit, or of SciPy's optimum", (_, model, expected) => {
  const { posterior } = fitRaters(model, table, { tolerance: 1e-9 });
  const worst = expected.flatMap((row, item) =>
    row.map((value, k) => Math.abs(value - (posterior[item * categories + k] ?? 0))),
  );
  expect(Math.max(0, ...worst.slice(0, 1000))).toBeLessThan(1e-4);
});
