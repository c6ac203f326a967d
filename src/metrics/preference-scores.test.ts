import { expect, test } from "vitest";
import type { DualEncoder, Picture, RewardModel } from "../core/models.js";
import { hps } from "./hps.js";
import { imageReward } from "./image-reward.js";
import { pickScore } from "./pick-score.js";

const image = {} as Picture;
const identity = { provider: "test", model: "m", revision: "1" };

/** A dual encoder in which every image has a cosine of 0.28 to every text. */
function encoder(more: Partial<DualEncoder> = {}) {
  const texts: string[] = [];
  const model: DualEncoder = {
    identity,
    embedImage: async () => Float32Array.of(7, 24),
    embedText: async (text) => {
      texts.push(text);
      return Float32Array.of(2, 0);
    },
    ...more,
  };
  return { model, texts };
}

test("pick-score: the cosine times the model's own scale, of the prompt as it is", async () => {
  const { model, texts } = encoder({ logitScale: 50 });
  const metric = pickScore({ model });
  expect((await metric.score({ image, text: "a cat" })).value).toBeCloseTo(14, 5);
  expect(texts).toEqual(["a cat"]);
  expect(metric).toMatchObject({
    name: "pick-score",
    template: "{text}",
    statistic: "50 cosine",
    range: [-50, 50],
    direction: "higher",
    model: "test:m@1",
  });
  const usual = pickScore({ model: encoder().model });
  expect((await usual.score({ image, text: "a cat" })).value).toBeCloseTo(28, 5);
  expect(usual).toMatchObject({ statistic: "100 cosine (scale assumed)", range: [-100, 100] });
});

test("hps: the cosine, or a hundred times it, whatever the model's scale", async () => {
  const { model } = encoder({ logitScale: 50 });
  for (const [convention, value, range] of [
    ["v2", 0.28, [-1, 1]],
    ["v2-benchmark", 28, [-100, 100]],
  ] as const) {
    const metric = hps({ model, convention });
    expect((await metric.score({ image, text: "a cat" })).value).toBeCloseTo(value, 5);
    expect(metric).toMatchObject({ name: "hps", convention, range, template: "{text}" });
  }
  expect(hps({ model }).convention).toBe("v2");
  const wrong = { model, convention: "v1" } as unknown as Parameters<typeof hps>[0];
  expect(() => hps(wrong)).toThrow("Expected one of v2, v2-benchmark for the convention of hps");
});

test("image-reward: normalised as published, or as the model at hand needs", async () => {
  const texts: string[] = [];
  const rewarding = (reward: number): RewardModel => ({
    identity,
    async reward(_image, text) {
      texts.push(text);
      return reward;
    },
  });
  const rewarded = async (reward: number, more = {}) =>
    (await imageReward({ model: rewarding(reward), ...more }).score({ image, text: "a cat" }))
      .value;
  expect(await rewarded(0.16717362830052426)).toBe(0);
  // The mean and one deviation, by hand.
  expect(await rewarded(1.20051312490593)).toBeCloseTo(1, 12);
  expect(await rewarded(7, { mean: 3, deviation: 2 })).toBe(2);
  expect(texts[0]).toBe("a cat");
  expect(imageReward({ model: rewarding(0) })).toMatchObject({
    name: "image-reward",
    convention: "v1.0",
    direction: "higher",
    statistic: "(reward - mean) / deviation",
  });
  expect(imageReward({ model: rewarding(0), mean: 3 }).convention).toContain("mean 3");
  await expect(rewarded(Number.NaN)).rejects.toMatchObject({ reason: "unparsable" });
});

test("a wording of one's own goes before the model's, and that before the published", () => {
  const { model } = encoder({ templates: { "pick-score": "({text})", hps: "[{text}]" } });
  expect(pickScore({ model }).template).toBe("({text})");
  expect(hps({ model }).template).toBe("[{text}]");
  expect(pickScore({ model, template: "{text}!" }).template).toBe("{text}!");
  expect(() => hps({ model, template: "a photo" })).toThrow("Expected {text}");
});
