import { expect, test } from "vitest";
import { decomposerWords } from "./decomposer-words.js";
import { parseDescription, ruleDecomposer, withoutPlainWearers } from "./rule-decomposer.js";

const words = decomposerWords();

const leftOf = (text: string): string => {
  const parsed = parseDescription(text, words);
  if ("problem" in parsed) return `? ${parsed.problem}`;
  return withoutPlainWearers(parsed.phrases, words)
    .map(({ entity }) => entity)
    .join(" | ");
};

test.each([
  ["a woman wearing a striped skirt and a dotted shirt", "skirt | shirt"],
  ["A woman in a striped skirt and a dotted shirt.", "skirt | shirt"],
  ["a woman dressed in a striped skirt", "skirt"],
  ["a man in a plaid shirt holding a red umbrella", "shirt | umbrella"],
  ["a man in a shirt carrying a red bag", "shirt | bag"],
  ["a woman in a skirt and wearing a red hat", "skirt | hat"],
  ["a woman wearing a red skirt and a man carrying a blue bag", "skirt | bag"],
  ["a woman, a girl and a man wearing striped shirts", "shirts"],
  ["a robot wearing a red hat", "hat"],
  ["a cat in a red hat", "hat"],
  ["a teacher in a plaid polo shirt", "polo shirt"],
  ["two Women wearing long dresses", "dresses"],
])("of %j who only wears or carries is left out", (text, left) => {
  expect(leftOf(text)).toBe(left);
});

test.each([
  ["a young woman wearing a striped skirt", "woman | skirt"],
  ["a dog next to a red ball", "dog | ball"],
  ["a cat in a red box", "cat | box"],
  ["a woman next to a red car", "woman | car"],
  ["a red hat and a skirt", "hat | skirt"],
  ["a skirt in a wardrobe", "skirt | wardrobe"],
  ["a dog. a woman wearing a red hat", "dog | hat"],
  ["a dog and a woman wearing a red hat", "dog | hat"],
])("of %j who has attributes, or wears nothing, stays", (text, left) => {
  expect(leftOf(text)).toBe(left);
});

test("who of two wears it is not told: neither is asked about it", () => {
  expect(leftOf("a woman on a bench wearing a red hat")).toBe("hat");
  expect(leftOf("a woman and a dog in a striped sweater")).toBe("sweater");
  expect(leftOf("a woman on a wooden bench wearing a red hat")).toBe("bench | hat");
});

const entitiesOf = async (text: string) =>
  (await ruleDecomposer().decompose(text)).map(({ entity }) => entity).join(" | ");

test.each([
  ["A room with a red chair and a green lamp.", "chair | lamp"],
  ["a red chair in a living room", "chair"],
  ["a street with a striped awning and a blue car", "awning | car"],
  ["a photo of a kitchen with a yellow fridge", "fridge"],
  ["a basket with red apples and a green pear", "apples | pear"],
  ["a red apple on a plate", "apple"],
])("in %j what only holds the others is no entity", async (text, left) => {
  expect(await entitiesOf(text)).toBe(left);
});

test.each([
  ["a dark room with a red chair", "room | chair"],
  ["a basket and a red apple", "basket | apple"],
  ["a bowl next to a red cup", "bowl | cup"],
  ["a dog next to a red ball", "dog | ball"],
  ["a room", "room"],
])("in %j what has an attribute, or holds nothing, stays", async (text, left) => {
  expect(await entitiesOf(text)).toBe(left);
});
