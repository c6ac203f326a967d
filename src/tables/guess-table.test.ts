import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { guessTable } from "./guess-table.js";
import { tableRows } from "./table-rows.js";

async function guessed(name: string) {
  const content = await readFile(new URL(`../../data/examples/${name}.csv`, import.meta.url));
  const rows = [];
  for await (const { all } of tableRows({ source: tableOf(`${name}.csv`, content), columns: {} })) {
    rows.push(all);
  }
  return guessTable(Object.keys(rows[0] ?? {}), rows)[0];
}

test.each([
  "attributes",
  "calibration",
  "compare",
  "contrastive",
  "ensemble",
  "preferences",
  "significance",
  "stereotypes",
  "swap",
])("the sample of %s is guessed to be one", async (verb) => {
  expect(await guessed(verb)).toEqual({ verb, map: {}, flags: [] });
});

test("ratings by people are of the scale that their values suggest", async () => {
  const agreement = (scale: string) => ({ verb: "agreement", map: {}, flags: ["--scale", scale] });
  expect(await guessed("agreement")).toEqual(agreement("ordinal"));
  const columns = ["item", "annotator", "value"];
  expect(guessTable(columns, [{ value: "good" }])[0]).toEqual(agreement("nominal"));
});

test("ratings beside metrics are correlated", async () => {
  expect(await guessed("correlation")).toEqual({
    verb: "correlation",
    map: {},
    flags: ["--human", "rating"],
  });
});

test("other names are mapped, where the cells are of the kind", () => {
  const columns = ["ID", "metric", "domain", "right", "wrong"];
  expect(guessTable(columns, [{ right: "0.5", wrong: "" }])).toContainEqual({
    verb: "contrastive",
    map: { id: "ID", correct: "right", adversarial: "wrong" },
    flags: [],
  });
  expect(guessTable(columns, [{ right: "yes", wrong: "no" }])).toEqual([]);
  expect(guessTable(["prompt", "model_a", "model_b", "winner"], [{ winner: "A" }])).toEqual([
    { verb: "preferences", map: { a: "model_a", b: "model_b", preferred: "winner" }, flags: [] },
  ]);
});

test("wide tables are named with the flag that reads them", () => {
  const wide = ["id", "domain", "clip_correct", "clip_adversarial"];
  expect(guessTable(wide, [])[0]).toEqual({ verb: "contrastive", map: {}, flags: ["--wide"] });
  expect(guessTable(["item", "rater_1", "rater_2"], [])[0]).toEqual({
    verb: "agreement",
    map: {},
    flags: ["--scale", "ordinal", "--raters", "rater_1,rater_2"],
  });
});
