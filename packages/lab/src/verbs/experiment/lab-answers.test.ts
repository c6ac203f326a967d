import { outputFor } from "touchstone-t2i/internal/cli/terminal/output.js";
import type { ChatModel, ImageEmbedder } from "touchstone-t2i/internal/core/models.js";
import { degradations } from "touchstone-t2i/internal/images/degrade.js";
import { composePrompts } from "touchstone-t2i/internal/judges/compose-prompts.js";
import { loadPromptPool } from "touchstone-t2i/internal/judges/read-prompt-pool.js";
import { samplePrompts } from "touchstone-t2i/internal/judges/sample-prompts.js";
import { withTokens } from "touchstone-t2i/internal/testing/fake-models.js";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";
import { labAnswers, loadLabDesign } from "./lab-answers.js";
import { labNoPreferenceAnswers, loadLabNoPreference } from "./lab-no-preference.js";

let asked = 0;
/** Prefers the first place. */
const model: ChatModel = {
  identity: { provider: "test", model: "first-place", revision: "1" },
  async chat({ messages }) {
    asked++;
    const parts = messages.at(-1)?.parts ?? [];
    const labels = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return withTokens({ [labels[1] ?? ""]: 0.75, [labels[2] ?? ""]: 0.25 });
  },
};
const embedder: ImageEmbedder = {
  identity: { provider: "test", model: "size", revision: "1" },
  async embedImage(image) {
    const { width, height } = await image.pixels();
    return Float32Array.of(width, height, 1);
  },
};
const prompts = samplePrompts({
  prompts: composePrompts(loadPromptPool("pairwise").pool),
  count: 3,
  seed: 1,
});
const answered = prompts.map(({ parts }) => (parts.order === "straight" ? 0.75 : 0.25));

async function judging() {
  asked = 0;
  const environment = fakeEnvironment({ workingDirectory: await temporaryDirectory() });
  const output = outputFor({ environment, json: false });
  return { run: "lab", model, embedder, prompts, environment, output, command: ["experiment"] };
}

test("paints, judges and embeds a world's pairs, once", async () => {
  const design = {
    ...loadLabDesign(),
    worlds: { tiny: { styles: ["noto"], pairs: 6, seed: 5 } },
  };
  const about = { design, ...(await judging()) };
  const { rows, shown } = await labAnswers("tiny", about);
  expect(rows.length).toBeGreaterThan(0);
  expect(asked).toBe(3 * rows.length);
  for (const { probabilities, label, embedding, world } of rows) {
    expect(world).toBe("tiny");
    expect([0, 1]).toContain(label);
    expect(embedding).toHaveLength(3);
    // Who prefers the first place prefers a by a straight prompt and b by a flipped one.
    expect(probabilities).toEqual(answered);
  }
  const [{ id, group } = { id: "", group: "" }] = rows;
  expect(await shown(id)).toMatchObject({ caption: group, width: 112, height: 112 });
  expect(await shown("another")).toBeUndefined();
  expect((await labAnswers("tiny", about)).rows).toEqual(rows);
  expect(asked).toBe(3 * rows.length);
});

test("paints pairs of no preference and degrades pictures, once", async () => {
  const design = { ...loadLabNoPreference(), pairs: 3, pairsSeed: 7 };
  const about = { design, ...(await judging()) };
  const rows = await labNoPreferenceAnswers(about);
  const equal = rows.filter(({ label }) => label === null);
  expect(equal.length).toBeGreaterThan(0);
  // Each pair in both orders, beside five copies of its first picture.
  expect(rows.length - equal.length).toBe((5 * equal.length) / 2);
  expect(asked).toBe(3 * rows.length);
  for (const kind of degradations) {
    const copies = rows.filter(({ degradation }) => degradation === kind);
    expect(copies).toHaveLength(equal.length / 2);
    expect(copies.every(({ label }) => label !== null)).toBe(true);
  }
  for (const { probabilities, embedding, group } of rows) {
    expect(equal.some((other) => other.group === group)).toBe(true);
    expect(embedding).toHaveLength(3);
    expect(probabilities).toEqual(answered);
  }
  expect(await labNoPreferenceAnswers(about)).toEqual(rows);
  expect(asked).toBe(3 * rows.length);
});
