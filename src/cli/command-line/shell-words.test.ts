import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWords, wordsOf } from "./shell-words.js";

test("leaves plain words as they are and quotes the others", () => {
  expect(shellWords(["score", "./a.csv", "--map", "id=a b", "it's", ""])).toBe(
    `score ./a.csv --map 'id=a b' 'it'\\''s' ''`,
  );
});

test("words are read back as they were, and as a person may type them", () => {
  const word = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(wordsOf(shellWords(words))).toEqual(words);
    }),
  );
  expect(wordsOf(' a  "b c"\\ d "" \t')).toEqual(["a", "b c d", ""]);
});

test.skipIf(process.platform === "win32")("a shell reads the same words back", () => {
  const word = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const script = `for word in ${shellWords(words)}; do printf '%s\\0' "$word"; done`;
      const read = execFileSync("/bin/sh", ["-c", script]).toString("utf8");
      expect(read.split("\0").slice(0, -1)).toEqual(words);
    }),
    { numRuns: 20 },
  );
});
