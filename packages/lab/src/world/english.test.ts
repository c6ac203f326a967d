import fc from "fast-check";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { describe, NotInLabEnglish, parseSentence } from "./english.js";
import { sampleScene } from "./sample.js";
import type { Description } from "./scene.js";
import { falsify, tell } from "./statements.js";
import { subjects } from "./vocabulary.js";

test("a sentence means what it was made of, true or false", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = randomFrom("english", seed);
      const scene = sampleScene(random, [...subjects.keys()]);
      const rate = () => random.next();
      const telling = { hypernym: rate(), place: rate(), extra: 0.9, attribute: rate() };
      const said = tell(scene, telling, random);
      expect(parseSentence(describe(said))).toEqual(said);
      const falsehood = falsify(said, scene, random);
      if (falsehood !== undefined) expect(parseSentence(describe(falsehood))).toEqual(falsehood);
    }),
    { numRuns: 500 },
  );
});

const sentences: readonly (readonly [string, Description])[] = [
  ["A dog.", { subject: { kind: "dog" }, extras: [] }],
  ["Chopsticks.", { subject: { kind: "chopsticks" }, extras: [] }],
  ["An octopus is on a beach.", { subject: { kind: "octopus" }, place: "beach", extras: [] }],
  [
    "A piece of furniture is in a room with exactly two red balls in the background.",
    {
      subject: { hypernym: "furniture" },
      place: "room",
      extras: [{ kind: "ball", count: 2, colour: "red", depth: "background" }],
    },
  ],
  [
    // The dog is on the left, so the tree is on the right.
    "A dog is in a meadow to the left of a tree and with a small yellow mushroom.",
    {
      subject: { kind: "dog" },
      place: "meadow",
      extras: [
        { kind: "tree", side: "right" },
        { kind: "mushroom", size: "small", colour: "yellow" },
      ],
    },
  ],
  [
    "A bento box with exactly one box.",
    { subject: { kind: "bento box" }, extras: [{ kind: "box", count: 1 }] },
  ],
];

test.each(sentences)("%s", (sentence, description) => {
  expect(describe(description)).toBe(sentence);
  expect(parseSentence(sentence)).toEqual(description);
});

test("capitals, white space and a missing full stop change nothing", () => {
  expect(parseSentence("  a DOG  is in the\nsnow ")).toEqual({
    subject: { kind: "dog" },
    place: "snow",
    extras: [],
  });
});

test.each([
  ["A unicorn is in a meadow.", 'Expected a subject but found "a unicorn is"'],
  ["A dog is in a spaceship.", 'Expected a place but found "in a spaceship"'],
  ["A dog is in a meadow with a unicorn.", 'Expected an extra object but found "unicorn"'],
  ["A dog with exactly nine rocks.", 'Expected a numeral but found "nine rocks"'],
  // Plural and numeral must agree, or two spellings would mean one thing.
  ["A dog with exactly two rock.", 'Expected an extra object but found "rock"'],
  ["A dog with exactly one rocks.", 'Expected an extra object but found "rocks"'],
  ["A dog with rocks.", 'Expected "a" but found "rocks"'],
  ["A dog to the north of a rock.", 'Expected left or right but found "north of a"'],
  ["A dog with a rock in the middle.", 'Expected foreground or background but found "middle"'],
  ["A dog with a rock with a tree.", 'Expected "and" but found "with a tree"'],
  ["A dog sleeps.", 'Expected "to the" but found "sleeps"'],
  ["A dog is in a meadow with", 'Expected "a" but found the end'],
  ["", "Expected a subject but found the end"],
])("outside the lab's English: %s", (sentence, message) => {
  expect(() => parseSentence(sentence)).toThrow(NotInLabEnglish);
  expect(() => parseSentence(sentence)).toThrow(`${message}`);
  expect(() => parseSentence(sentence)).toThrow(`in "${sentence}"`);
});
