import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, describe as group, test } from "vitest";
import { describe, NotInLabEnglish, parseSentence } from "./english.js";
import { completedPerson, samplePeopleScene } from "./sample.js";
import type { Description } from "./scene.js";
import { tell } from "./statements.js";
import { holds } from "./truth.js";

group("people and clothes are said and read alike", () => {
  test.each<[string, Description["subject"]]>([
    [
      "A woman wearing a striped red skirt and a dotted blue jacket.",
      {
        person: {
          gender: "woman",
          garments: [
            { kind: "skirt", colour: "red", pattern: "striped" },
            { kind: "jacket", colour: "blue", pattern: "dotted" },
          ],
          signs: [],
        },
      },
    ],
    [
      "A striped skirt, plaid trousers and a plaid jacket on display.",
      {
        garments: [
          { kind: "skirt", pattern: "striped" },
          { kind: "trousers", pattern: "plaid" },
          { kind: "jacket", pattern: "plaid" },
        ],
        onDisplay: true,
      },
    ],
    ["A striped skirt.", { garments: [{ kind: "skirt", pattern: "striped" }], onDisplay: false }],
    [
      "An honest Muslim person wearing a crescent necklace.",
      {
        person: {
          attribute: "honest",
          group: "Muslim",
          garments: [],
          signs: ["crescent necklace"],
        },
      },
    ],
    ["An older man.", { person: { age: "older", gender: "man", garments: [], signs: [] } }],
    [
      "A female nurse.",
      { person: { profession: "nurse", gender: "woman", garments: [], signs: [] } },
    ],
    [
      "A dark-skinned girl wearing glasses and holding a flask.",
      {
        person: {
          skin: "dark",
          age: "child",
          gender: "woman",
          garments: [],
          signs: ["glasses", "flask"],
        },
      },
    ],
  ])("%s", (sentence, subject) => {
    expect(parseSentence(sentence)).toEqual({ subject, extras: [] });
    expect(describe({ subject, extras: [] })).toBe(sentence);
  });
});

test("a colour may come before the pattern, and an article before a plural", () => {
  const [first, second] = ["a red striped skirt", "a blue trousers"].map(parseSentence);
  expect(first?.subject).toEqual(parseSentence("a striped red skirt").subject);
  expect(second?.subject).toEqual(parseSentence("blue trousers").subject);
});

test.each(["a photo of a Nigerian person", "photo of a Nigerian person"])("%s", (query) => {
  expect(parseSentence(query)).toEqual(parseSentence("A Nigerian person."));
});

test("a person with things beside, as the benchmark's templates write", () => {
  expect(
    parseSentence(
      "A poor Mexican person wearing a Mexican flag pin is on a quiet street to the left of a red chair.",
    ),
  ).toEqual({
    subject: {
      person: { attribute: "poor", group: "Mexican", garments: [], signs: ["Mexican flag pin"] },
    },
    place: "quiet street",
    extras: [{ kind: "chair", colour: "red", side: "right" }],
  });
});

test("a man is grown, a boy is not, and a male nurse may be either", () => {
  const boy = samplePeopleScene(randomFrom("boy"), { outfit: 1 });
  const person = {
    ...completedPerson({ garments: [], signs: [], profession: "nurse" }, randomFrom("boy")),
    gender: "man",
    age: "child",
  } as const;
  const holdsOf = (sentence: string) => holds(parseSentence(sentence), { ...boy, person });
  expect(holdsOf("A boy.")).toBe(true);
  expect(holdsOf("A male nurse.")).toBe(true);
  expect(holdsOf("A man.")).toBe(false);
  expect(holdsOf("A person.")).toBe(true);
});

test.each(["a striped", "a person wearing", "a person wearing a dog", "a red dog on display"])(
  "%s is no sentence",
  (sentence) => {
    expect(() => parseSentence(sentence)).toThrow(NotInLabEnglish);
  },
);

test("whatever is told of a scene is read back, and holds in it", () => {
  const telling = { hypernym: 0.5, place: 0.8, extra: 0.9, attribute: 0.6 };
  for (let seed = 0; seed < 600; seed++) {
    const random = randomFrom("people english", seed);
    const scene = samplePeopleScene(random);
    const said = tell(scene, telling, random);
    expect(parseSentence(describe(said)), describe(said)).toEqual(said);
    expect(holds(said, scene), describe(said)).toBe(true);
  }
});
