import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { parseSentence } from "../../world/english.js";
import { sampleScene } from "../../world/sample.js";
import type { Description } from "../../world/scene.js";
import { tell } from "../../world/statements.js";
import { paraphrasesOf } from "./lab-sample.js";

/** Meaning, whatever the order. */
const meaning = ({ extras, ...rest }: Description) => ({
  ...rest,
  extras: extras.map((extra) => JSON.stringify(Object.entries(extra).sort())).sort(),
});

test("every wording is in the lab's English, says the same, and is another one", () => {
  const random = randomFrom("paraphrases");
  for (let at = 0; at < 50; at++) {
    const scene = sampleScene(random, ["dog", "owl", "chair", "bus", "spoon"]);
    const said = tell(scene, { hypernym: 0.5, place: 1, extra: 1, attribute: 1 }, random);
    const wordings = paraphrasesOf(said);
    for (const { text } of wordings) expect(meaning(parseSentence(text))).toEqual(meaning(said));
    const isTwo = said.extras.length > 1;
    expect(new Set(wordings.map(({ text }) => text)).size).toBe(isTwo ? wordings.length : 2);
  }
});

test("the first is the usual one, the others as data/paraphrases.yaml has them", () => {
  const extras = [
    { kind: "rock", count: 2 },
    { kind: "bush", colour: "red" },
  ];
  const said = { subject: { kind: "owl" }, place: "meadow", extras };
  expect(paraphrasesOf(said).map(({ text }) => text)).toEqual([
    "An owl is in a meadow with exactly two rocks and with a red bush.",
    "An owl is in a meadow with a red bush and with exactly two rocks.",
    "an owl is in a meadow with exactly two rocks and with a red bush",
    "an owl is in a meadow with a red bush and with exactly two rocks",
  ]);
});
