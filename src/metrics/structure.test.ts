import { expect, test } from "vitest";
import { loadDescriptions } from "../benchmarks/attribute-confusion/descriptions.js";
import { attributeQuestion } from "./structure.js";

const template = 'Does this figure show "a {attribute} {entity}"? Please answer yes or no.';
const phraseOf = (attribute: string, entity: string) =>
  /"(.*)"/.exec(attributeQuestion(template, { attribute, entity }))?.[1];

test.each([
  ["blue", "trousers", "blue trousers"],
  ["striped", "denim shorts", "striped denim shorts"],
  ["green", "grass", "green grass"],
  ["young", "people", "young people"],
  ["orange", "shirt", "an orange shirt"],
  ["floral", "dress", "a floral dress"],
  ["wooden", "bus", "a wooden bus"],
  ["red", "octopus", "a red octopus"],
])("%s %s is asked about as %s", (attribute, entity, expected) => {
  expect(phraseOf(attribute, entity)).toBe(expected);
});

test("a question in other words is left as it is", () => {
  const other = attributeQuestion("Is the {entity} {attribute}?", {
    attribute: "blue",
    entity: "trousers",
  });
  expect(other).toBe("Is the trousers blue?");
});

test("every question about the benchmark's entities has the article that fits", () => {
  const descriptions = loadDescriptions();
  const attributes = new Set(
    descriptions.flatMap(({ entities }) => entities.flatMap((each) => each.attributes)),
  );
  const entities = new Set(
    descriptions.flatMap((each) => each.entities.map(({ entity }) => entity)),
  );
  const phrases = [...entities].flatMap((entity) =>
    [...attributes].map((attribute) => phraseOf(attribute, entity) ?? ""),
  );
  const plurals = phrases.filter((phrase) => !/^an? /.test(phrase));
  expect(new Set(plurals.map((phrase) => phrase.split(" ").at(-1)))).toEqual(
    new Set(["trousers", "shorts"]),
  );
  expect(phrases.filter((phrase) => /^an? .*(?:trousers|shorts)$/.test(phrase))).toEqual([]);
  expect(
    new Set(phrases.filter((phrase) => phrase.startsWith("an ")).map((p) => p.split(" ")[1])),
  ).toEqual(new Set(["orange"]));
});
