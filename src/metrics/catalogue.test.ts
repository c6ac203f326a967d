import { expect, test } from "vitest";
import { boxLocalizer } from "../../test/support/oracle-models.js";
import type {
  ImageEmbedder,
  Model,
  RewardModel,
  TextEmbedder,
  VisualQuestionAnswering,
} from "../core/models.js";
import { keeps } from "../models/contracts.js";
import { scriptedChat } from "../testing/fake-models.js";
import { type CatalogueEntry, metricByName, metricCatalogue } from "./catalogue.js";

const identity = { provider: "test", model: "m" };
const dual: ImageEmbedder & TextEmbedder = {
  identity,
  embedImage: async () => Float32Array.of(1),
  embedText: async () => Float32Array.of(1),
};
const vqa: VisualQuestionAnswering = { identity, probabilityOfYes: async () => [1] };
const rewarding: RewardModel = { identity, reward: async () => 1 };
const models: readonly Model[] = [dual, vqa, rewarding, scriptedChat().model];
const localizer = boxLocalizer({}).model;

/** Models that can carry each of them. */
const modelFor = ({ needs }: CatalogueEntry) =>
  models.find((one) => needs.every((need) => keeps(one, need))) ?? dual;

test("each metric is made from a model that can carry it, under its own name", () => {
  for (const entry of metricCatalogue) {
    const choice = { model: modelFor(entry), localizer };
    expect(entry.make(choice).name).toBe(entry.name);
    const { template } = entry.make({ ...choice, template: "is it {text}" });
    expect(template).toBe(
      entry.name === "localized-vqa-score" ? "is it a {attribute} {entity}" : "is it {text}",
    );
  }
});

test("conventions are chosen by name", () => {
  for (const entry of metricCatalogue) {
    for (const convention of entry.conventions) {
      const choice = { model: modelFor(entry), localizer, convention };
      expect(entry.make(choice).convention).toBe(convention);
    }
    const [first] = entry.conventions;
    const { convention } = entry.make({ model: modelFor(entry), localizer });
    if (first !== undefined) expect(convention).toBe(first);
  }
  expect(() => metricByName("clip-score").make({ model: dual, convention: "percents" })).toThrow(
    'Expected one of hessel, cosine, percent after clip-score: but received "percents"',
  );
  expect(() => metricByName("vqa-score").make({ model: vqa, convention: "x" })).toThrow(
    "Expected no convention",
  );
});

test("a model that can't do it is refused with what it can", () => {
  expect(() => metricByName("clip-score").make({ model: vqa })).toThrow(
    "Expected a model that embeds images and embeds texts for the metric clip-score but received test:m, which answers questions about images",
  );
  expect(() => metricByName("vqa-rating").make({ model: dual })).toThrow(
    "for the metric vqa-rating but received test:m",
  );
});

test("what is needed beside must be there, in the same model or another", () => {
  const entry = metricByName("localized-vqa-score");
  expect(() => entry.make({ model: vqa })).toThrow(
    "Expected a model that finds entities in images for the metric localized-vqa-score but " +
      "received test:m, which answers questions about images",
  );
  for (const [choice, hint] of [
    [{ model: vqa }, "add --model transformers-js:localizer:"],
    [{ model: localizer }, "add --model openai-compatible:NAME"],
  ] as const) {
    expect(() => entry.make(choice)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(hint) }),
    );
  }
  const both = { ...vqa, localize: localizer.localize };
  expect(entry.make({ model: both }).model).toMatch(/^test:m \/ rules:/);
  expect(entry.make({ model: vqa, localizer }).model).toMatch(/^test:m \+ test:boxes@2 \/ rules:/);
});

test("without localisation nothing need find entities; who is named stays in the name", () => {
  const entry = metricByName("localized-vqa-score");
  const convention = "recall:none";
  expect(entry.make({ model: vqa, convention }).model).toMatch(/^test:m \/ rules:/);
  const both = entry.make({ model: vqa, localizer, convention });
  expect(both.model).toMatch(/^test:m \+ test:boxes@2 \/ rules:/);
  expect(() => entry.make({ model: vqa, localizer: dual, convention })).toThrow(
    "Expected a model that finds entities",
  );
});

test("an unknown name brings the nearest", () => {
  expect(() => metricByName("clipscore")).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('but received "clipscore"'),
      hint: expect.stringContaining("Did you mean clip-score?"),
    }),
  );
});
