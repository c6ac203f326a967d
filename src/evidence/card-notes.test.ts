import { expect, it, test } from "vitest";
import { trustCard } from "../analysis/trust-card/trust-card.js";
import { publishedLine, withUnseenDetails } from "./card-notes.js";

const card = trustCard([], { name: "vqa-score", direction: "higher", source: "pictures" });

test.each([
  ["sees smaller details", 64, 0],
  ["sees none so small", 128, 1],
  ["names no disc at all", null, 1],
  ["was not measured", undefined, 0],
] as const)(
  "a card has a caveat where the smallest thing is too small: a model that %s",
  (_, pixels, count) => {
    const sight = { state: "sees", right: 16, of: 16 };
    const models = {
      tiny: pixels === undefined ? { sight } : { sight, acuity: { pixels, of: 1024 } },
    };
    const { warnings } = withUnseenDetails(card, { models, smallestThing: 0.1 });
    const added = warnings.filter((warning) => !card.warnings.includes(warning));
    expect(added).toHaveLength(count);
    for (const text of added) expect(text).toContain("102 of 1,024 pixels");
  },
);

it("says a metric's agreement for each question, and where nothing is known", () => {
  expect(publishedLine("clip-score")).toMatch(/^68 % of pairs on alignment \(4 sets\), /);
  expect(publishedLine("pick-score")).toMatch(/75 % of pairs on preference \(1 set\)/);
  expect(publishedLine("vqa-score")).toBeUndefined();
});
