import { expect, test } from "vitest";
import { z } from "zod";
import { commandLines } from "../../../test/support/command-lines.js";
import { cardFileSchema, readCardFile } from "./card-file.js";

const { put, read, run } = commandLines();

const table = async (name: string, worse = 0) => {
  const { stdout } = await run(["example", "card"]);
  const [head = "", ...rows] = stdout.trim().split("\n");
  const at = head.split(",").indexOf("adversarial");
  const changed = rows.map((row) =>
    row
      .split(",")
      .map((cell, column) => (column === at && cell !== "" ? `${Number(cell) - worse}` : cell))
      .join(","),
  );
  await put(name, [head, ...changed].join("\n"));
};

test("data/card.schema.json is the schema", async () => {
  const schema = z.toJSONSchema(cardFileSchema, { io: "input" });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    "../../../data/card.schema.json",
  );
});

test("a card says its format, what it was made of by hash, and what is published", async () => {
  await table("card.csv");
  await run(["card", "card.csv", "--out", "card.json"]);
  const text = await read("card.json");
  const { cards, ...head } = readCardFile(text, "card.json");
  expect(head).toMatchObject({
    format: "touchstone-card",
    version: 1,
    inputs: [{ name: "card.csv", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    evidence: {},
  });
  expect(cards.length).toBeGreaterThan(0);
  // Files of 0.2.0 have no notes.
  const earlier = cards.map(({ notes: _, ...card }) => card);
  const [first] = readCardFile(JSON.stringify({ ...head, cards: earlier }), "card.json").cards;
  expect(first?.notes).toEqual([]);
  const later = JSON.stringify({ ...JSON.parse(text), version: 2 });
  expect(() => readCardFile(later, "later.json")).toThrow(/version/);
});

test("card diff: the same input changes nothing; better answers improve a figure", async () => {
  await table("old.csv");
  await table("new.csv", 1);
  for (const name of ["old", "new"]) await run(["card", `${name}.csv`, "--out", `${name}.json`]);
  const same = JSON.parse((await run(["card", "diff", "old.json", "old.json", "--json"])).stdout);
  expect(same.figures.length).toBeGreaterThan(5);
  expect(same.verdict).toBe("Nothing changed: both files were made of the same inputs.");
  const { stdout: text } = await run(["card", "diff", "old.json", "old.json"]);
  expect(text.trim()).toBe(same.verdict);
  for (const { state } of same.figures) expect(["not-shown", "not-comparable"]).toContain(state);
  const { code, stdout } = await run(["card", "diff", "old.json", "new.json", "--json"]);
  const { figures, old } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(old.inputs).toHaveLength(1);
  const effect = figures.find(
    ({ id, metric }: { id: string; metric: string }) =>
      id === "prototypicality" && metric === "vqa-score",
  );
  expect(effect.new.estimate.value).toBeLessThan(effect.old.estimate.value);
});
