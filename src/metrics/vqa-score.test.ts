import { expect, test } from "vitest";
import type { Picture, VisualQuestionAnswering } from "../core/models.js";
import { vqaRating, vqaScore } from "./vqa-score.js";

const image = {} as Picture;

function answerer(probabilities: number[]) {
  const asked: string[] = [];
  const model: VisualQuestionAnswering = {
    identity: { provider: "test", model: "oracle" },
    async probabilityOfYes(_image, questions) {
      asked.push(...questions);
      return probabilities;
    },
  };
  return { model, asked };
}

test("the score is P(yes) of the question, which it repeats", async () => {
  const { model, asked } = answerer([0.8]);
  const metric = vqaScore({ model });
  const question = 'Does this figure show "a cat"? Please answer yes or no.';
  expect(await metric.score({ image, text: "a cat" })).toEqual({ value: 0.8, question });
  expect(asked).toEqual([question]);
  expect(metric).toMatchObject({
    name: "vqa-score",
    statistic: "P(yes)",
    range: [0, 1],
    direction: "higher",
    model: "test:oracle",
  });
});

test("another wording", async () => {
  const { model, asked } = answerer([0.1]);
  await vqaScore({ model, template: "Is it {text}? {text}?" }).score({ image, text: "a dog" });
  expect(asked).toEqual(["Is it a dog? a dog?"]);
});

test("a model brings the wording that it needs", () => {
  const { model } = answerer([0.1]);
  const templates = { "vqa-score": "{text}?" };
  expect(vqaScore({ model: { ...model, templates } }).template).toBe("{text}?");
});

test.each([
  ["vqa-score", vqaScore],
  ["vqa-rating", vqaRating],
])("%s refuses a model that answers no questions", (name, make) => {
  const model = {
    identity: { provider: "test", model: "dual" },
    embedImage: async () => Float32Array.of(1),
    embedText: async () => Float32Array.of(1),
  };
  expect(() => make({ model } as unknown as Parameters<typeof make>[0])).toThrow(
    `Expected a model that answers questions about images for the metric ${name} but received ` +
      "test:dual, which embeds images and embeds texts",
  );
});

test("a model that says nothing gives no answer", async () => {
  const { model } = answerer([]);
  await expect(vqaScore({ model }).score({ image, text: "a" })).rejects.toMatchObject({
    reason: "unparsable",
  });
});

test.each([
  [0, 1],
  [0.5, 5.5],
  [1, 10],
])("P(yes) of %f is a rating of %f", async (probability, rating) => {
  const metric = vqaRating({ model: answerer([probability]).model });
  expect((await metric.score({ image, text: "a" })).value).toBe(rating);
  expect(metric).toMatchObject({ name: "vqa-rating", statistic: "1 + 9 P(yes)", range: [1, 10] });
});
