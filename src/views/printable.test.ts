import { expect, test } from "vitest";
import { printable, printableLines } from "./printable.js";

test("control characters are shown, everything else is kept", () => {
  expect(printable("a\u001b[2Jb\r\nc\u009b")).toBe("a\\u001b[2Jb\\u000d\\u000ac\\u009b");
  expect(printable("“Zwei” · 31 % ✓")).toBe("“Zwei” · 31 % ✓");
});

test("what turns the direction of writing is shown, and line ends stay in lines", () => {
  expect(printable("a\u202eb\u2066c\td")).toBe("a\\u202eb\\u2066c\\u0009d");
  expect(printableLines("a\u001b[31m\n\tb\u2069\u0085")).toBe("a\\u001b[31m\n\tb\\u2069\\u0085");
});
