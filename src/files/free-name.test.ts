import { expect, test } from "vitest";
import { freeName } from "./free-name.js";

test("each name once, whatever its case", () => {
  const taken = new Set<string>();
  const names = ["cat", "Cat", "dog", "cat-2", "cat"].map((stem) => freeName(taken, stem, ".png"));
  expect(names).toEqual(["cat.png", "Cat-2.png", "dog.png", "cat-2-2.png", "cat-3.png"]);
});
