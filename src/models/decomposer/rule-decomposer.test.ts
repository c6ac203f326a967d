import fc from "fast-check";
import { describe, expect, test } from "vitest";
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

describe("parse description", () => {
  const words = decomposerWords();

  /** "skirt: striped, red | jacket" */
  function structureOf(text: string): string {
    const parsed = parseDescription(text, words);
    if ("problem" in parsed) return `? ${parsed.problem}`;
    return parsed.phrases
      .map(
        ({ entity, attributes }) =>
          [entity, ...attributes.slice(0, 1)].join(": ") +
          attributes
            .slice(1)
            .map((one) => `, ${one}`)
            .join(""),
      )
      .join(" | ");
  }

  test.each([
    ["a striped red skirt and a dotted blue jacket", "skirt: striped, red | jacket: dotted, blue"],
    ["a cat on two mats", "cat | mats"],
    ["a man in a plaid shirt holding a red umbrella", "man | shirt: plaid | umbrella: red"],
    [
      "a striped, long-sleeve shirt. a pair of dotted pants",
      "shirt: striped, long-sleeve | pants: dotted",
    ],
    ["A dark red dress with white polka dot gloves.", "dress: dark red | gloves: white, polka dot"],
    ["a black and white cat", "cat: black, white"],
    ["a red, green and blue flag", "flag: red, green, blue"],
    ["a photo of an orange next to a glass", "orange | glass"],
    ["an orange and white teddy bear in the snow", "teddy bear: orange, white | snow"],
    ["two very tall women wearing long dresses", "women: very tall | dresses: long"],
    ["striped skirt and dotted blouse", "skirt: striped | blouse: dotted"],
    [
      "3 brown birds sitting on the wooden railing of a building",
      "birds: brown | railing: wooden | building",
    ],
    ["a dark room", "room: dark"],
    ["a zorp", "zorp"],
  ])("%s", (text, structure) => {
    expect(structureOf(text)).toBe(structure);
  });

  test.each([
    ["a zorp cat", 'it is not clear what "zorp" is'],
    ["a cat sleeps", 'it is not clear what "cat" is'],
    ["a cat yawning", 'it is not clear what "cat" is'],
    ["the yawning", '"yawning" may be something that is done'],
    ["a shirt without stripes", '"without" says more than an attribute'],
    ["a dress with a floral pattern", '"pattern" says more than an attribute'],
    ["the shirt is red", '"is" says more than an attribute'],
    ["a red and a blue shirt", 'the name of what is "a red" is missing'],
    ["a red and", 'the name of what is "a red" is missing'],
    ["a striped, notched rim, long-sleeve shirt", 'it is not clear what "notched" is'],
    [
      "a striped shirt, plain skirt",
      '"plain skirt" after a comma may be a part of what is before it',
    ],
    ["a red in the snow", 'the name of what is "a red" is missing'],
    ["a cat (grey)", "it has characters that no word has"],
    ["a flying bird", 'nothing is named after "a"'],
    ["", "it names nothing"],
    [", and", "it names nothing"],
  ])("%j is left alone", (text, problem) => {
    expect(structureOf(text)).toBe(`? ${problem}`);
  });

  test("phrases are those of the text, with their determiners", () => {
    const parsed = parseDescription("A photo of a  very tall Man and two red, round hats", words);
    expect("phrases" in parsed && parsed.phrases.map(({ phrase }) => phrase)).toEqual([
      "a  very tall Man",
      "two red, round hats",
    ]);
  });

  const attribute = fc.constantFrom(
    ...[...words.kinds]
      .filter(([, kind]) => kind === "attribute" || kind === "colour")
      .map(([word]) => word),
  );
  const entity = fc.constantFrom(
    "cat",
    "skirt",
    "teddy bear",
    "zorp",
    "T-shirt",
    "earrings",
    "glasses",
  );
  const joint = fc.constantFrom(" and ", ", ", " next to ", " wearing ", ". ");

  describe("for whatever the lists hold", () => {
    test("what was put together comes apart as it was", () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.array(attribute, { maxLength: 3 }), entity, joint), {
            minLength: 1,
            maxLength: 4,
          }),
          (parts) => {
            const text = parts
              .map(([attributes, name, after], at) => {
                const phrase = ["a", ...attributes, name].join(" ");
                return at === parts.length - 1 ? phrase : phrase + after;
              })
              .join("");
            // Two attributes may make one phrase of the lists: "navy" and "blue".
            const isOne = parts.some(([attributes]) =>
              attributes.some((one, at) => words.kinds.has(`${one} ${attributes[at + 1]}`)),
            );
            fc.pre(!isOne);
            const parsed = parseDescription(text, words);
            expect(parsed).toMatchObject({
              phrases: parts.map(([attributes, name]) => ({ entity: name, attributes })),
            });
          },
        ),
      );
    });

    test("what comes out stands in the text, of any words in any order", () => {
      const word = fc.oneof(
        fc.constantFrom(...words.kinds.keys(), "cat", "zorp", ",", ".", "yawning"),
        fc.string({ maxLength: 4 }),
      );
      fc.assert(
        fc.property(fc.array(word, { maxLength: 8 }), (some) => {
          const text = some.join(" ");
          const parsed = parseDescription(text, words);
          if ("problem" in parsed) expect(parsed.problem).not.toBe("");
          else {
            expect(parsed.phrases.length).toBeGreaterThan(0);
            for (const { entity: name, attributes, phrase } of parsed.phrases) {
              expect(text).toContain(phrase);
              for (const part of [name, ...attributes]) {
                expect(part).not.toBe("");
                expect(phrase).toContain(part);
              }
            }
          }
        }),
        { numRuns: 500 },
      );
    });
  });
});
