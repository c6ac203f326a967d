import { expect, it } from "vitest";
import { publishedLine } from "./card-notes.js";

it("says a metric's agreement for each question, and where nothing is known", () => {
  expect(publishedLine("clip-score")).toMatch(/^68 % of pairs on alignment \(4 sets\), /);
  expect(publishedLine("pick-score")).toMatch(/75 % of pairs on preference \(1 set\)/);
  expect(publishedLine("vqa-score")).toBeUndefined();
});
