import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { UnknownColumns } from "../core/errors.js";
import { tableOf } from "../tables/bytes.js";
import { tableRows } from "../tables/table-rows.js";
import { guessTable, withReader } from "./guess-table.js";

async function guessed(name: string) {
  const content = await readFile(new URL(`../../data/examples/${name}.csv`, import.meta.url));
  const rows = [];
  for await (const { all } of tableRows({ source: tableOf(`${name}.csv`, content), columns: {} })) {
    rows.push(all);
  }
  return (await guessTable(Object.keys(rows[0] ?? {}), rows))[0];
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
  expect((await guessTable(columns, [{ value: "good" }]))[0]).toEqual(agreement("nominal"));
});

test("ratings beside metrics are correlated", async () => {
  expect(await guessed("correlation")).toEqual({
    verb: "correlation",
    map: {},
    flags: ["--human", "rating"],
  });
});

test("other names are mapped, where the cells are of the kind", async () => {
  const columns = ["ID", "metric", "domain", "right", "wrong"];
  expect(await guessTable(columns, [{ right: "0.5", wrong: "" }])).toContainEqual({
    verb: "contrastive",
    map: { id: "ID", correct: "right", adversarial: "wrong" },
    flags: [],
  });
  expect(await guessTable(columns, [{ right: "yes", wrong: "no" }])).toEqual([]);
  expect(await guessTable(["prompt", "model_a", "model_b", "winner"], [{ winner: "A" }])).toEqual([
    { verb: "preferences", map: { a: "model_a", b: "model_b", preferred: "winner" }, flags: [] },
  ]);
  // As arenas publish votes.
  const arena = ["question_id", "model_a", "model_b", "winner", "judge", "turn"];
  const votes = ["model_a", "model_b", "tie", "tie (bothbad)", ""].map((winner) => ({ winner }));
  expect((await guessTable(arena, votes))[0]).toMatchObject({ verb: "preferences" });
  expect(await guessTable(arena, [{ winner: "a lot" }])).toEqual([]);
});

test("wide tables are named with the flag that reads them", async () => {
  const wide = ["id", "domain", "clip_correct", "clip_adversarial"];
  expect((await guessTable(wide, []))[0]).toEqual({
    verb: "contrastive",
    map: {},
    flags: ["--wide"],
  });
  expect((await guessTable(["item", "rater_1", "rater_2"], []))[0]).toEqual({
    verb: "agreement",
    map: {},
    flags: ["--scale", "ordinal", "--raters", "rater_1,rater_2"],
  });
  const scores = [{ prompt: "p", score_sdxl: 0.5, score_flux: "n/a" }];
  expect((await guessTable(["prompt", "score_sdxl", "score_flux"], scores))[0]).toEqual({
    verb: "compare",
    map: {},
    flags: ["--scores", "sdxl=score_sdxl,flux=score_flux"],
  });
});

test("an error about a table's columns names the command that reads them, if one does", async () => {
  const about = async (...columns: string[]) =>
    withReader(new UnknownColumns("Expected", { columns, hint: "map" }));
  expect(await about("prompt", "clipscore", "human")).toMatchObject({
    message: "Expected",
    hint: "Such columns are read by: touchstone analyze correlation FILE --human human",
  });
  expect(await about("colour", "size")).toMatchObject({ hint: "map" });
  const wide = { columns: ["id", "clip_correct", "clip_adversarial"], hint: "map" };
  const error = new UnknownColumns("Expected", wide);
  expect(await withReader(error, ["analyze", "contrastive"])).toMatchObject({
    hint: "Such columns are read by: touchstone analyze contrastive FILE --wide",
  });
  expect(await withReader(error, ["analyze", "contrastive", "a.csv", "--wide"])).toBe(error);
});
