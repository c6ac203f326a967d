import {
  domains,
  loadTaxonomy,
  pairsOf,
} from "touchstone-t2i/internal/benchmarks/prototypicality/taxonomy.js";
import { expect, test } from "vitest";
import { asRead } from "./as-read.js";
import { textTensor } from "./models/tensors.js";
import { readSettings, weightsDirectory } from "./models/weights.js";
import { cannotDraw } from "./painter/painter.js";
import { describe, parseSentence } from "./world/english.js";
import { subjects } from "./world/vocabulary.js";

test.each([
  ["A robin is in a meadow.", "A songbird is in a meadow."],
  ["Sparrow and ROBIN", "Songbird and Songbird"],
  ["Chopsticks are on a table.", "Chopsticks is on a table."],
  ["Are there chopsticks? Robins are.", "Are there chopsticks? Robins are."],
])("%s is read as %s", (text, expected) => expect(asRead(text)).toBe(expected));

test("the painter draws its small bird for a robin and a sparrow", () => {
  for (const bird of ["robin", "sparrow"]) {
    const sentence = `A ${bird} is in a meadow with exactly two rocks.`;
    expect(cannotDraw(sentence)).toBeUndefined();
    expect(parseSentence(sentence).subject).toEqual({ kind: "songbird" });
  }
});

test("plural subjects are said with a plural verb, and read with either", () => {
  const said = { subject: { kind: "chopsticks" }, place: "table", extras: [] };
  expect(describe(said)).toBe("Chopsticks are on a table.");
  expect(parseSentence("Chopsticks are on a table.")).toEqual(said);
  expect(parseSentence("Chopsticks is on a table.")).toEqual(said);
});

test("the lab's models read the words that they learned in the others' stead", async () => {
  const { text } = await readSettings(new URL("filter-vqa/", weightsDirectory));
  const read = (words: string) => textTensor(words, text).data;
  expect(read("A robin is in a meadow.")).toEqual(read("A songbird is in a meadow."));
  expect(read("Chopsticks are on a table.")).toEqual(read("Chopsticks is on a table."));
});

test("what the lab alone calls something stands in its own data, not in the benchmark's", () => {
  const members = domains.flatMap((domain) =>
    pairsOf(loadTaxonomy(), domain).flatMap(({ nonPrototype, prototype }) => [
      nonPrototype.name,
      prototype.name,
    ]),
  );
  expect(members).toEqual(expect.arrayContaining(["robin", "sparrow"]));
  expect(members).not.toContain("songbird");
  expect(subjects.has("songbird")).toBe(true);
});
