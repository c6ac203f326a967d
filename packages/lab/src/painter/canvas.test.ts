import { expect, test } from "vitest";
import { Canvas } from "./canvas.js";
import type { Sprite } from "./sprites.js";

const white = (side: number) => ({
  width: side,
  height: side,
  data: new Uint8Array(side * side * 3).fill(255),
});

/** An opaque square of one level of grey, premultiplied, with the transparent border of sprites. */
function square(inside: number, level: number, alpha = 255): Sprite {
  const side = inside + 2;
  const data = new Uint8Array(side * side * 4);
  for (let y = 1; y <= inside; y++) {
    for (let x = 1; x <= inside; x++) {
      const shade = Math.round((level * alpha) / 255);
      data.set([shade, shade, shade, alpha], (y * side + x) * 4);
    }
  }
  return { width: side, height: side, data };
}

const draw = (canvas: Canvas, sprite: Sprite, x: number, y: number) =>
  canvas.draw([sprite], { x, y, width: sprite.width, height: sprite.height });

const levelAt = (canvas: Canvas, x: number, y: number) => canvas.data[(y * canvas.width + x) * 3];

test("what is drawn later covers what was drawn before, and shares say how much is left", () => {
  const canvas = new Canvas(white(20));
  draw(canvas, square(8, 100), 0, 0);
  draw(canvas, square(8, 50), 4, 0);
  expect(canvas.visibleShares()).toEqual([0.5, 1]);
  expect(levelAt(canvas, 2, 2)).toBe(100);
  expect(levelAt(canvas, 7, 2)).toBe(50);
  expect(levelAt(canvas, 18, 18)).toBe(255);
  expect([...canvas.owners].filter((owner) => owner === 1)).toHaveLength(32);
  expect([...canvas.owners].filter((owner) => owner === 2)).toHaveLength(64);
});

test("what is covered whole, and what lies outside the picture, is not seen", () => {
  const canvas = new Canvas(white(20));
  draw(canvas, square(4, 100), 5, 5);
  draw(canvas, square(8, 50), 3, 3);
  draw(canvas, square(8, 0), 15, -1);
  expect(canvas.visibleShares()).toEqual([0, 1, 0.5]);
});

test("a pixel belongs to what covers at least half of it, and is mixed in any case", () => {
  const canvas = new Canvas(white(20));
  draw(canvas, square(8, 100, 100), 0, 0);
  expect(Math.max(...canvas.owners)).toBe(0);
  // 100 x 100/255 of the square and 255 x 155/255 of the background.
  expect(levelAt(canvas, 4, 4)).toBe(194);
  expect(canvas.visibleShares()).toEqual([0]);
  draw(canvas, square(8, 100, 200), 0, 0);
  expect(canvas.visibleShares()).toEqual([0, 1]);
});

test("a sprite is drawn at the size of its box, from the level that fits", () => {
  const [large, small] = [square(32, 100), square(16, 40)];
  const levels = [large, small];
  const canvas = new Canvas(white(64));
  canvas.draw(levels, { x: 0, y: 0, width: 12, height: 12 });
  expect(levelAt(canvas, 6, 6)).toBe(40);
  canvas.draw(levels, { x: 20, y: 20, width: 30, height: 30 });
  expect(levelAt(canvas, 35, 35)).toBe(100);
  const [, first = 0, second = 0] = canvas.covered;
  expect(Math.abs(first - 12 ** 2 * (16 / 18) ** 2)).toBeLessThan(15);
  expect(Math.abs(second - 30 ** 2 * (32 / 34) ** 2)).toBeLessThan(30);
  expect(() => canvas.draw([], { x: 0, y: 0, width: 1, height: 1 })).toThrow(RangeError);
});

test("the background that was handed over is left as it was", () => {
  const background = white(12);
  draw(new Canvas(background), square(4, 0), 2, 2);
  expect(Math.min(...background.data)).toBe(255);
});
