import { expect, test } from "vitest";
import { parseSentence } from "./english.js";
import type { Scene } from "./scene.js";
import { holds } from "./truth.js";

const scene: Scene = {
  subject: "penguin",
  place: "snow",
  extras: [
    { kind: "flower", count: 2, colour: "red", side: "right", depth: "background" },
    { kind: "rock", count: 1, size: "large" },
  ],
};

test.each([
  "A penguin.",
  "An animal.",
  "An animal is in the snow.",
  "A penguin with a flower.",
  "A penguin with a red flower in the background.",
  "An animal is in the snow with exactly two red flowers and with a large rock.",
  "A penguin with exactly one rock and to the left of exactly two flowers.",
  "An animal with a rock and with a flower.",
])("holds: %s", (sentence) => {
  expect(holds(parseSentence(sentence), scene)).toBe(true);
});

test.each([
  "A dog.",
  "A vehicle.",
  "A penguin is in a forest.",
  "A penguin with a tree.",
  "A penguin with exactly one flower.",
  "A penguin with exactly three flowers.",
  "A penguin with a yellow flower.",
  "A penguin to the right of exactly two flowers.",
  "A penguin with exactly two flowers in the foreground.",
  "A penguin with a small rock.",
  // What a scene leaves open is not true of it: this rock stands in no clear depth.
  "A penguin with a rock in the background.",
  "A penguin with exactly two flowers and with a small rock.",
])("does not hold: %s", (sentence) => {
  expect(holds(parseSentence(sentence), scene)).toBe(false);
});

test("every attribute of a phrase must hold of one and the same extra", () => {
  const two: Scene = {
    ...scene,
    extras: [
      { kind: "bush", count: 1, colour: "green", side: "left" },
      { kind: "bush", count: 1, colour: "blue", side: "right" },
    ],
  };
  expect(holds(parseSentence("A penguin to the right of a green bush."), two)).toBe(true);
  expect(holds(parseSentence("A penguin to the right of a blue bush."), two)).toBe(false);
});
