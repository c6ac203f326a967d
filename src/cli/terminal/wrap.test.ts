import stringWidth from "string-width";
import { expect, it, test } from "vitest";
import { displayWidth, wrap, wrapAroundCommands } from "./wrap.js";

test("breaks at spaces, each line of its own; a long word stays whole", () => {
  expect(wrap("one two three\nfour five", 9)).toBe("one two\nthree\nfour five");
  expect(wrap("a https://example.org/long b", 9)).toBe("a\nhttps://example.org/long\nb");
  expect(wrap("", 9)).toBe("");
});

test("leaves indented lines as they are", () => {
  expect(wrap("ways are these:\n  touchstone score ./images", 9)).toBe(
    "ways are\nthese:\n  touchstone score ./images",
  );
});

test("a number stays with its unit, an interval in one piece", () => {
  expect(wrap("fails 47.5 % [41.3, 53.9] of pairs", 12)).toBe(
    "fails 47.5 %\n[41.3, 53.9]\nof pairs",
  );
});

test("colours take no room", () => {
  expect(wrap("\u001b[1mone two\u001b[22m three", 9)).toBe("\u001b[1mone two\u001b[22m\nthree");
});

test("a command that doesn't fit stands whole on a line of its own", () => {
  const around = (text: string) => wrapAroundCommands(text, 12, "touchstone");
  expect(around("so: touchstone query runs 'SELECT * FROM scores'")).toBe(
    "so:\n  touchstone query runs 'SELECT * FROM scores'",
  );
  expect(around("touchstone query runs 'SELECT *'")).toBe("  touchstone query runs 'SELECT *'");
  expect(around("a table  1\nlonger than it")).toBe("a table  1\nlonger than\nit");
});

// Behind them nothing is plain.
const most = 0x2600;

it("is what string-width says of every plain character, alone and within a text", () => {
  const wrong: string[] = [];
  for (let code = 0x20; code < most; code++) {
    const character = String.fromCharCode(code);
    for (const text of [character, `a${character}é`]) {
      if (displayWidth(text) !== stringWidth(text)) wrong.push(`${code.toString(16)}: ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

it.each([
  ["colours take none", "\u001b[31mred\u001b[0m", 3],
  ["wide letters take two", "漢字", 4],
  ["an accent belongs to its letter", "e\u0301", 1],
  ["an arrow is an emoji where it is asked to be", "\u2194\ufe0f", 2],
])("%s", (_, text, width) => {
  expect(displayWidth(text)).toBe(width);
});
