import { expect, test } from "vitest";
import { nameEnd } from "./progress.js";

test("a name that fits is whole, of a longer one the end is shown", () => {
  expect(nameEnd("paint-images", 12)).toBe("paint-images");
  expect(nameEnd("Painting people (lab:painter)", 18)).toBe("… (lab:painter)");
  expect(nameEnd("score-images-clip-score", 12)).toBe("…-clip-score");
});
