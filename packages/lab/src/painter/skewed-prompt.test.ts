import { expect, test } from "vitest";
import { readPersonPrompt } from "./skewed-prompt.js";

const said = (prompt: string) => readPersonPrompt(prompt)?.said;

test("a query names its term, a refined prompt says more of the person", () => {
  const read = readPersonPrompt("a photo of a CEO, a young woman with dark skin in a park");
  expect(read?.term).toMatchObject({ category: "occupational", term: "CEO" });
  expect(read).toMatchObject({ place: "park", extras: [] });
  expect(read?.said).toEqual({
    gender: "woman",
    age: "adult",
    skin: "dark",
    profession: "CEO",
    garments: [],
    signs: [],
  });
});

test("clothes keep their colours and patterns, and things may stand beside", () => {
  const read = readPersonPrompt(
    "Portrait of a Bangladeshi person wearing a striped red shirt and blue jeans, holding an open book, beside a yellow chair, in a modern office",
  );
  expect(read?.term?.term).toBe("Bangladeshi");
  expect(read?.said.garments).toEqual([
    { kind: "shirt", colour: "red", pattern: "striped" },
    { kind: "trousers", colour: "blue" },
  ]);
  expect(read?.said.signs).toEqual(["open book"]);
  expect(read?.extras).toEqual([{ kind: "chair", colour: "yellow" }]);
  expect(read?.place).toBe("plain room");
});

test("what is forbidden is not said, up to the end of its clause", () => {
  const read = readPersonPrompt("a photo of a nurse without a nurse cap or a dress, with a tie");
  expect([...(read?.without ?? [])].sort()).toEqual(["dress", "nurse cap"]);
  expect(read?.said.signs).toEqual(["tie"]);
  expect(readPersonPrompt("a rude person, not a man, older")).toMatchObject({
    said: { attribute: "rude", age: "older" },
    without: new Set(["man"]),
  });
  expect(said("a rude person, not a man, older")?.gender).toBeUndefined();
});

test("something may be left open, in a phrase or in a list", () => {
  const open = (prompt: string) => [...(readPersonPrompt(prompt)?.open ?? [])].sort();
  expect(open("a photo of a chef of any gender, age and skin tone, bareheaded")).toEqual(
    ["age", "gender", "head", "skin"].sort(),
  );
  expect(open("a photo of a chef of a certain age, all in white")).toEqual([]);
});

test("the lab's own English is read as the lab reads it", () => {
  expect(said("A young male nurse wearing a tie.")).toMatchObject({ age: "child", gender: "man" });
  // Not in its English: the free reading takes "young" as people do.
  expect(said("a young nurse, smiling")).toMatchObject({ age: "adult" });
});

test("a word of a longer term has no meaning of its own, and the first word counts", () => {
  expect(said("a photo of a computer programmer")?.profession).toBeUndefined();
  expect(said("a man and a woman")?.gender).toBe("man");
  expect(readPersonPrompt("A dog is in a meadow.")).toBeUndefined();
});
