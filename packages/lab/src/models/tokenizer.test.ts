import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { expect, test } from "vitest";
import { readTokenizer } from "./tokenizer.js";

const words = ["[pad]", "a", "dog", "t-shirt", ".", '"', "?", '."?', "-", "t", "shirt"];

const tokenizerOf = (preTokenizer: unknown, rest: object = {}) =>
  readTokenizer(
    JSON.stringify({
      normalizer: { type: "Lowercase" },
      pre_tokenizer: preTokenizer,
      post_processor: null,
      model: {
        type: "WordLevel",
        unk_token: "[unk]",
        vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      },
      ...rest,
    }),
  );

const encodes = (preTokenizer: unknown, text: string) =>
  tokenizerOf(preTokenizer)
    .encode(text)
    .map((id) => words[id]);

const wordsAndMarks = {
  type: "Split",
  pattern: { Regex: "[a-z-]+|[^\\sa-z-]" },
  behavior: "Removed",
  invert: true,
};

test("words with hyphens stay whole, marks stand alone, capitals do not matter", () => {
  expect(encodes(wordsAndMarks, '  "A DOG."?\n a t-shirt')).toEqual([
    '"',
    "a",
    "dog",
    ".",
    '"',
    "?",
    "a",
    "t-shirt",
  ]);
});

test("the other ways to split", () => {
  const text = 'a dog."? t-shirt';
  expect(encodes({ type: "Whitespace" }, text)).toEqual(["a", "dog", '."?', "t", "-", "shirt"]);
  const sequence = (...pretokenizers: unknown[]) => ({ type: "Sequence", pretokenizers });
  const apart = ["a", "dog", ".", '"', "?", "t", "-", "shirt"];
  expect(encodes(sequence({ type: "WhitespaceSplit" }, { type: "Punctuation" }), text)).toEqual(
    apart,
  );
  const isolated = { ...wordsAndMarks, behavior: "Isolated", invert: false };
  expect(encodes(sequence({ type: "WhitespaceSplit" }, isolated), text)).toEqual([
    "a",
    "dog",
    ".",
    '"',
    "?",
    "t-shirt",
  ]);
  const spaces = { ...wordsAndMarks, pattern: { Regex: "\\s+" }, invert: false };
  expect(encodes(sequence(spaces, isolated), text)).toEqual(["a", "dog", ".", '"', "?", "t-shirt"]);
});

test("a word it does not have is named, and no mark of the vocabulary can be typed", () => {
  const refusal = (text: string) => () => tokenizerOf(wordsAndMarks).encode(text);
  expect(refusal("a unicorn a")).toThrow(NoAnswer);
  expect(refusal("a unicorn a")).toThrow('The lab\'s English has no word "unicorn"');
  expect(refusal("a [pad]")).toThrow('no word "["');
  expect(refusal("a constructor")).toThrow('no word "constructor"');
});

test("a tokenizer that does more than this reads is refused", () => {
  expect(() => tokenizerOf({ type: "ByteLevel" })).toThrow();
  expect(() => tokenizerOf(wordsAndMarks, { post_processor: { type: "ByteLevel" } })).toThrow();
  expect(() => tokenizerOf(wordsAndMarks, { normalizer: null })).toThrow();
});
