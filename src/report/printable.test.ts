import { expect, test } from "vitest";
import { printable } from "./printable.js";

test("control characters are shown, everything else is kept", () => {
  expect(printable("a\u001b[2Jb\r\nc\u009b")).toBe("a\\u001b[2Jb\\u000d\\u000ac\\u009b");
  expect(printable("“Zwei” · 31 % ✓")).toBe("“Zwei” · 31 % ✓");
});
