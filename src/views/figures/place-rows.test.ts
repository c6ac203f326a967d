import { expect, test } from "vitest";
import { placeBeside } from "./place-rows.js";

const apart = (a: { x: number; y: number }, b: { x: number; y: number }) =>
  Math.max(Math.abs(a.x - b.x) / 7, Math.abs(a.y - b.y) / 11);

test("a label that has room stands at the right of its point", () => {
  const [one] = placeBeside([{ x: 50, y: 80, text: "1" }], [{ x: 50, y: 80 }], 11);
  expect(one).toMatchObject({ x: 64, y: 80, text: "1" });
});

test("labels of points that lie close, or on each other, cover neither marks nor each other", () => {
  const points = Array.from({ length: 9 }, (_, at) => ({
    x: 100 + (at % 3),
    y: 100 + Math.floor(at / 3) * 2,
    text: String(at + 1),
  }));
  const placed = placeBeside(points, points, 11);
  expect(placed.map(({ text }) => text)).toEqual(points.map(({ text }) => text));
  placed.forEach((label, at) => {
    for (const other of placed.slice(at + 1)) expect(apart(label, other)).toBeGreaterThan(0.99);
    for (const mark of points)
      expect(Math.hypot(label.x - mark.x, label.y - mark.y)).toBeGreaterThan(8);
    const own = points[at] ?? label;
    expect(Math.hypot(label.x - own.x, label.y - own.y)).toBeLessThan(40);
  });
});
