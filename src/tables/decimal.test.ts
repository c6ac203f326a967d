import { assert, constantFrom, double, integer, property, string, tuple } from "fast-check";
import { expect, test } from "vitest";
import { Decimal } from "./decimal.js";

const stop = new Uint8Array(65_536);
for (const code of [",", "\n", "\r", '"']) stop[code.charCodeAt(0)] = 1;

/** Reads a cell: its number; "care" where it is to be read with more. */
function read(cell: string): number | "care" {
  const decimal = new Decimal();
  const end = decimal.read(new TextEncoder().encode(`${cell},`), 0, stop);
  if (end < 0) return "care";
  expect(end).toBe(cell.length);
  return decimal.value;
}

const isRight = (cell: string) => {
  const found = read(cell);
  if (found !== "care") expect(found).toBe(Number(cell));
  return found !== "care";
};

test("reads what Number reads, to the last bit", () => {
  for (const each of [
    double({ noNaN: true, noDefaultInfinity: true }).map(String),
    double({ min: -1000, max: 1000, noNaN: true }).map(String),
    // Seventeen to nineteen digits, among them middles of two numbers and their neighbours.
    tuple(integer(), integer({ min: 0 }), integer({ min: 0, max: 22 })).map(
      ([one, other, scale]) => `${one}${other}e-${scale}`,
    ),
    tuple(integer({ min: 2 ** 30, max: 2 ** 31 }), integer({ min: -2, max: 2 })).map(
      ([one, off]) => `${BigInt(one) * 2n ** 23n * 2n + 1n + BigInt(off)}`,
    ),
  ]) {
    assert(
      property(each, (cell) => void isRight(cell)),
      { numRuns: 5000 },
    );
  }
});

test("reads most numbers of sixteen and seventeen digits without help", () => {
  let careful = 0;
  const cells = double({ min: 0, max: 1, noNaN: true }).filter((value) => value > 1e-4);
  assert(
    property(cells, (value) => {
      if (!isRight(String(value))) careful += 1;
    }),
    { numRuns: 5000 },
  );
  expect(careful).toBeLessThan(5000);
});

test.each(["1", "-1.5", "+2.", ".5", "1e3", "1E-3", "0.1", "-0", "0e99", "123456789012345678"])(
  "reads %s",
  (cell) => {
    expect(isRight(cell)).toBe(true);
  },
);

test.each(["", "-", ".", "e5", "1e", "1e+", "1 ", " 1", "0x1", "1_0", "1.2.3", "NaN", "1e9999"])(
  "leaves %j to others",
  (cell) => {
    expect(read(cell)).toBe("care");
  },
);

test("takes no other text for a number", () => {
  const digits = string({
    unit: constantFrom("0", "1", "9", ".", "e", "-", "+", " "),
    maxLength: 12,
  });
  const pattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  assert(
    property(digits, (cell) => {
      if (isRight(cell)) expect(cell).toMatch(pattern);
    }),
    { numRuns: 5000 },
  );
});
