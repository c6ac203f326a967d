import { expect, test } from "vitest";
import { trustCard } from "../../analysis/trust-card/trust-card.js";
import { cardPage } from "./card-page.js";

const by = { prompts: 2, images: 2, perPrompt: [1], rewritten: 0 };

test("a card's page tables how the images were made, and says what differs", async () => {
  const subject = { name: "vqa-score", range: [0, 1], direction: "higher" } as const;
  const card = trustCard([], { ...subject, source: "a run", seed: 0, resamples: 100 });
  const making = [
    { ...by, by: "old", settings: { steps: [4], size: ["64x64"] } },
    { ...by, by: "new", settings: { steps: [20], size: ["32x32"] } },
  ];
  const words = { title: "Trust card", command: "touchstone card" };
  const text = await cardPage([card], { ...words, making });
  expect(text).toContain("How the images were made");
  expect(text).toContain("Sizes differ: old 64x64, new 32x32.");
  expect(await cardPage([card], words)).not.toContain("How the images were made");
});
