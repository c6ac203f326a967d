import stringWidth from "string-width";
import { expect, it } from "vitest";
import { displayWidth } from "./wrap.js";

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
