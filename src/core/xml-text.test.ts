import { expect, test } from "vitest";
import { xmlText } from "./xml-text.js";

test("signs of XML are written as entities, and what it has not is a space", () => {
  expect(xmlText('a < b & "c"\u0000\t')).toBe("a &lt; b &amp; &quot;c&quot; \t");
});
