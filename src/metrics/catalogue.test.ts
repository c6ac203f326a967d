import { expect, test } from "vitest";
import type {
  ImageEmbedder,
  Model,
  RewardModel,
  TextEmbedder,
  VisualQuestionAnswering,
} from "../core/models.js";
import { keeps } from "../models/contracts.js";
import { metricByName, metricCatalogue } from "./catalogue.js";

const identity = { provider: "test", model: "m" };
const dual: ImageEmbedder & TextEmbedder = {
  identity,
  embedImage: async () => Float32Array.of(1),
  embedText: async () => Float32Array.of(1),
};
const vqa: VisualQuestionAnswering = { identity, probabilityOfYes: async () => [1] };
const rewarding: RewardModel = { identity, reward: async () => 1 };
const models: readonly Model[] = [dual, vqa, rewarding];

test("each metric is made from a model that can carry it, under its own name", () => {
  for (const entry of metricCatalogue) {
    const model = models.find((one) => entry.needs.every((need) => keeps(one, need))) ?? dual;
    expect(entry.make({ model }).name).toBe(entry.name);
    expect(entry.make({ model, template: "is it {text}" }).template).toBe("is it {text}");
  }
});

test("conventions are chosen by name", () => {
  const entry = metricByName("clip-score");
  for (const convention of entry.conventions) {
    expect(entry.make({ model: dual, convention }).convention).toBe(convention);
  }
  expect(() => entry.make({ model: dual, convention: "percents" })).toThrow(
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

test("an unknown name brings the nearest", () => {
  expect(() => metricByName("clipscore")).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('but received "clipscore"'),
      hint: expect.stringContaining("Did you mean clip-score?"),
    }),
  );
});
