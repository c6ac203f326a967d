import { expect, test } from "vitest";
import { scatterText } from "./proto-score-text.js";

const axes = {
  x: { title: "left to right", ends: [-100, 100] },
  y: { title: "upwards", ends: [0.5, 1] },
} as const;

test("letters stand where their points are, beside each other where these are one", () => {
  const text = scatterText(
    [
      { letter: "A", x: -100, y: 0.5 },
      { letter: "B", x: 100, y: 1 },
      { letter: "C", x: 0, y: 1 },
      { letter: "D", x: 0, y: 1 },
      { letter: "E", x: null, y: 1 },
    ],
    { width: 80, ...axes },
  );
  const lines = text.split("\n");
  expect(lines[0]).toBe("upwards");
  expect(lines[1]).toMatch(/^ 1\.00 │ {29}DC {29}B$|^ 1\.00 │ {30}CD {28}B$/);
  expect(lines[12]).toMatch(/^ 0\.50 │A {29}·$/);
  expect(lines[14]).toMatch(/^ +−100 +0 +100$/);
  expect(text).not.toContain("E");
});

test.each([60, 80, 200])("it fits a terminal of %i columns", (width) => {
  const text = scatterText([{ letter: "A", x: 100, y: 2 }], { width, ...axes });
  expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(width);
});
