import { array, assert, boolean, property, string, tuple } from "fast-check";
import { expect, test } from "vitest";
import { Names } from "./names.js";

const comma = 44;
const stop = new Uint8Array(65_536);
stop[comma] = 1;

const codesOf = (text: string) =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** The number of a name that stands among others' codes. */
function numberAt(names: Names, name: string): number {
  const codes = codesOf(`x,${name},`);
  const number = names.findAt(codes, 2, stop);
  expect(names.end).toBe(2 + name.length);
  return number < 0 ? names.addAt(codes, 2) : number;
}

const name = string({ unit: "binary", maxLength: 3 }).filter((text) => !text.includes(","));

test("numbers names in the order in which they first occur, however they are given", () => {
  assert(
    property(array(tuple(name, boolean())), (given) => {
      const names = new Names();
      const known = new Map<string, number>();
      for (const [text, isText] of given) {
        if (!known.has(text)) known.set(text, known.size);
        expect(isText ? names.numberOf(text) : numberAt(names, text)).toBe(known.get(text));
      }
      expect(names.all).toEqual([...known.keys()]);
      expect(names.count).toBe(known.size);
      for (const [text, number] of known) expect(names.find(text)).toBe(number);
      expect(names.find("none of them")).toBeUndefined();
    }),
  );
});

test("takes no name with a code of stop in it for one that ends there", () => {
  const names = new Names();
  names.numberOf("a,b");
  expect(names.findAt(codesOf("a,b,"), 0, stop)).toBe(-1);
  expect(names.end).toBe(1);
});

test("keeps 30,000 names apart, a long one and half a character among them", () => {
  const names = new Names();
  const given = Array.from({ length: 30_000 }, (_, at) => `pair ${at}`);
  const all = [...given, "long ".repeat(10_000), "\ud83d", ""];
  const numbers = all.map((text, at) =>
    at % 2 === 0 ? names.numberOf(text) : numberAt(names, text),
  );
  expect(numbers).toEqual([...all.keys()]);
  expect(
    all.map((text, at) => (at % 2 === 0 ? numberAt(names, text) : names.numberOf(text))),
  ).toEqual(numbers);
  expect(names.all).toEqual(all);
});
