import { expect, test } from "vitest";
import { secretRemover } from "./secrets.js";

const value = 'sk/planted+key"0123456789';
const remove = secretRemover([{ name: "A_KEY", value, behind: "Bearer" }]);
const base64 = (text: string) => Buffer.from(text).toString("base64");

test.each([
  ["as it is", value],
  ["in JSON", JSON.stringify({ text: value })],
  ["in JSON with slashes escaped", JSON.stringify({ text: value }).replaceAll("/", "\\/")],
  ["in a URL", `https://host/?key=${encodeURIComponent(value)}`],
  [
    "in a URL with small digits",
    encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
])("%s", (_, text) => {
  expect(remove(text)).toContain("[A_KEY]");
  expect(remove(text)).not.toContain("0123456789");
});

test.each(["", "u", "me", "user", "Bearer "])("in base64 behind %j", (before) => {
  for (const after of ["", "!", "??"]) {
    const text = base64(`${before}${value}${after}`);
    for (const spelled of [text, text.replaceAll("+", "-").replaceAll("/", "_")]) {
      const left = remove(spelled);
      expect(left).toContain("[A_KEY]");
      // At each end a character may be left that a part of a byte of the key decides.
      const rest = Buffer.from(left.replace("[A_KEY]", ""), "base64").toString("latin1");
      expect(rest).not.toMatch(/planted|0123/);
    }
  }
});

test("other text is left alone", () => {
  const text = "Yes, I think that the key is sk/planted.";
  expect(remove(text)).toBe(text);
  expect(secretRemover([])(value)).toBe(value);
});

test.each(["abc", "no", "a.b", "$^", '"\\'])(
  "a short one, %s, of a failure where it stands by itself",
  (short) => {
    const remover = secretRemover([{ name: "A_KEY", value: short, behind: "Bearer" }]);
    expect(remover(`Wrong key: ${short}. Is (${short}) yours?`)).toBe(
      "Wrong key: [A_KEY]. Is ([A_KEY]) yours?",
    );
    expect(remover("abcd north a-b")).toBe("abcd north a-b");
  },
);

test("a short one changes no answer, unless it stands as in the header", () => {
  const remover = secretRemover([{ name: "A_KEY", value: "no", behind: "x-key" }]);
  const about = { isAnswer: true };
  expect(remover('{"token":"no"}', about)).toBe('{"token":"no"}');
  expect(remover('{"headers":{"x-key":"no"}}', about)).toBe('{"headers":{"x-key":"[A_KEY]"}}');
});

test.each([
  ['{"X-Key":"abc"}', "abc", "x-key"],
  ["bearer abc", "abc", "Bearer"],
  [JSON.stringify({ "x-key": 'a"\\' }), 'a"\\', "x-key"],
  ['{"x-key":"a\\/b"}', "a/b", "x-key"],
])("%s of an answer tells a short one", (answer, value, behind) => {
  const remover = secretRemover([{ name: "A_KEY", value, behind }]);
  const left = remover(answer, { isAnswer: true });
  expect(left).toContain("[A_KEY]");
  expect(left.replace("[A_KEY]", "")).toMatch(/^(\{"x-key":""\}|bearer )$/i);
});
