import { expect, test } from "vitest";
import { parseSentence } from "../world/english.js";
import type { Scene } from "../world/scene.js";
import { faultCount, faultsIn } from "./fault-count.js";

const dog: Scene = {
  subject: "dog",
  place: "meadow",
  extras: [
    { kind: "rock", count: 2, side: "left" },
    { kind: "ball", count: 1, colour: "red" },
  ],
};
const clothes: Scene = {
  subject: "clothes",
  place: "shop",
  extras: [],
  display: [
    { kind: "skirt", colour: "red", pattern: "striped" },
    { kind: "jacket", colour: "blue", pattern: "plain" },
  ],
};

test.each([
  ["A dog is in a meadow with exactly two rocks and with a red ball.", 0],
  ["A dog is in a desert with exactly three rocks and with a blue ball.", 3],
  ["A dog is in a meadow with a bush.", 1],
  ["A dog is in a meadow with exactly three large rocks.", 2],
])("%s has %d faults in a picture of a dog", (sentence, wrong) => {
  expect(faultsIn(parseSentence(sentence), dog)).toEqual({ wrong, isAnotherSubject: false });
});

test.each([
  ["A striped red skirt and a plain blue jacket on display.", 0],
  ["A plain red skirt and a striped blue jacket on display.", 2],
  ["A striped red skirt and a striped red coat on display.", 1],
])("%s has %d faults where a skirt and a jacket are", (sentence, wrong) => {
  expect(faultsIn(parseSentence(sentence), clothes)).toEqual({ wrong, isAnotherSubject: false });
});

test("another subject outweighs what is wrong around the right one", () => {
  const truth = {
    style: "noto",
    defects: [],
    objects: [],
    scene: JSON.parse(JSON.stringify(dog)),
  };
  const check = (text: string) => faultCount.check({ truth, text });
  expect(check("A cat is in a meadow with a red ball.")).toEqual({
    value: 10,
    details: { wrong: 0, anotherSubject: true },
  });
  const around = check("A dog is in a desert with exactly four rocks and with a blue ball.");
  expect(around.value).toBeLessThan(10);
  expect(() => faultCount.check({ truth: {}, text: "A dog." })).toThrow("what the lab's painter");
});
