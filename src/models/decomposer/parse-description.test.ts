import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decomposerWords } from "./decomposer-words.js";
import { parseDescription } from "./rule-decomposer.js";

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
