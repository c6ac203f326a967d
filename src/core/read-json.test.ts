import fc from "fast-check";
import { expect, test } from "vitest";
import { lackAt, lostNumber, readJson } from "./read-json.js";

test("whatever is JSON is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      expect(readJson(JSON.stringify(value, null, indent))).toEqual(
        JSON.parse(JSON.stringify(value)),
      );
    }),
  );
});

test("whatever is none is refused", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const outcome = (read: (text: string) => unknown) => {
        try {
          return { value: read(text) };
        } catch (error) {
          return error instanceof SyntaxError ? "none" : error;
        }
      };
      expect(outcome(readJson)).toEqual(outcome(JSON.parse));
    }),
  );
});

test.each([
  ['{"a": 1, "b": {"c": 2, "c": 2}}', ["b", "c"], "it stands there twice"],
  ['{"a": 1, "\\u0061": 2}', ["a"], "it stands there twice"],
  ['{"a": 1, "a": 2, "a": 3}', ["a"], "it stands there twice"],
  ['{"__proto__": 1, "__proto__": 2}', ["__proto__"], "it stands there twice"],
  ["[1, -1e999]", [1], "-1e999 is too large"],
  ["[0, 0.0e0, 1E-400]", [2], "1E-400 is too small"],
  [`{"a": ${"9".repeat(400)}}`, ["a"], "99999999999999999999… is too large"],
])("%s has no value at %j", (text, path, why) => {
  expect(lackAt(readJson(text), path)).toBe(why);
});

test("what is nested too deeply is passed over, the rest is read", () => {
  const deep = `${"[".repeat(1e6)}"]"${"]".repeat(1e6)}`;
  let value = Object(readJson(`{"deep": ${deep}, "rest": "]"}`));
  expect(value.rest).toBe("]");
  for (value = value.deep; Array.isArray(value); value = value[0]);
  expect(value.description).toBe("it is nested more than 100 deep");
});

test("there is no -0, and a member called as Object's own is a member", () => {
  expect(Object.is(Object(readJson('{"a": -0}')).a, 0)).toBe(true);
  expect(Object.keys(Object(readJson('{"__proto__": 1}')))).toEqual(["__proto__"]);
});

test("white space without end is no JSON, and is found out at once", () => {
  const began = performance.now();
  expect(() => readJson(" ".repeat(2 ** 22))).toThrow(SyntaxError);
  // Looked through once for each place in it, it would take hours.
  expect(performance.now() - began).toBeLessThan(10_000);
});

test.each([
  ['{"score": 1e-400}', "1e-400"],
  ['[0, {"a": [-2.5E-999]}]', "2.5E-999"],
  [`0.${"0".repeat(400)}1`, `0.${"0".repeat(400)}1`],
  ['{"a": "1e-400", "b": 0}', undefined],
  ['{"a": "\\"1e-400\\""}', undefined],
  ['{"a": 0e-400, "b": 0.0, "c": -0, "d": 1e-300, "e": 5e-324}', undefined],
])("of %j the number that would be lost is %j", (text, lost) => {
  expect(lostNumber(text)).toBe(lost);
});
