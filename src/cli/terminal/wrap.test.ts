import { expect, test } from "vitest";
import { wrap, wrapAroundCommands } from "./wrap.js";

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
