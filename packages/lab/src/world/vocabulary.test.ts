import { expect, test } from "vitest";
import { extraKinds, hypernyms, places, subjects, withArticle } from "./vocabulary.js";

test.each([
  ["dog", "a dog"],
  ["octopus", "an octopus"],
  ["e-scooter", "an e-scooter"],
  ["unicycle", "a unicycle"],
  ["chopsticks", "chopsticks"],
])("the article of %s", (noun, phrase) => {
  expect(withArticle(noun)).toBe(phrase);
});

test("every hypernym has typical and other members, places and extras", () => {
  for (const hypernym of hypernyms.keys()) {
    const members = [...subjects.values()].filter((one) => one.hypernym === hypernym);
    expect(members.some((one) => one.prototypical)).toBe(true);
    expect(members.some((one) => !one.prototypical)).toBe(true);
    expect([...places.values()].some((place) => place.for.includes(hypernym))).toBe(true);
    expect([...extraKinds.values()].some((extra) => extra.for.includes(hypernym))).toBe(true);
  }
});

test("no word means two things", () => {
  const names = [...subjects.keys(), ...hypernyms.keys(), ...places.keys()];
  const extras = [...extraKinds.values()].flatMap(({ kind, plural }) => [kind, plural]);
  expect(new Set([...names, ...extras]).size).toBe(names.length + extras.length);
});
