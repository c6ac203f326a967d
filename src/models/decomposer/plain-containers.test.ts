import { expect, test } from "vitest";
import { ruleDecomposer } from "./rule-decomposer.js";

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
