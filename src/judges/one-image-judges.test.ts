import { describe, expect, it } from "vitest";
import type { Hash } from "../core/keys.js";
import type { Picture } from "../core/models.js";
import { scriptedChat, withTokens } from "../testing/fake-models.js";
import { ratingAnswers, ratingDistribution } from "./answer-kind.js";
import { ensembleAnswers, fitJudge } from "./calibrate-fit.js";
import { composePrompts } from "./compose-prompts.js";
import { judgeRating, judgeYesNo } from "./judge-images-step.js";
import { loadPromptPool, type PromptKind } from "./read-prompt-pool.js";

const image = { hash: "a" as Hash } as Picture;
const named = (kind: PromptKind, id: string) => {
  const prompt = composePrompts(loadPromptPool(kind).pool).find((one) => one.id === id);
  if (prompt === undefined) throw new Error(`No prompt ${id}`);
  return prompt;
};

describe("a question of yes or no", () => {
  const question = "Is there a red hat?";
  it("is answered with P(yes) in any glyphs and order", async () => {
    const { model, asked } = scriptedChat(
      withTokens({ no: 0.25, Yes: 0.75 }),
      withTokens({ Y: 0.5, yes: 0.1, N: 0.2, I: 0.2 }),
    );
    const plain = named("yes-no", "plain/short/seen/words/flipped");
    expect((await judgeYesNo({ model, prompt: plain, question, image })).probability).toBeCloseTo(
      0.75,
      12,
    );
    const letters = named("yes-no", "witness/talk/exact/letters/straight");
    expect(await judgeYesNo({ model, prompt: letters, question, image })).toEqual({
      probability: expect.closeTo(0.75, 12),
      remaining: expect.closeTo(0.2, 12),
    });
    expect(asked[0]?.messages.at(-1)?.parts.slice(0, 2)).toEqual([
      { type: "text", text: expect.stringContaining('"Is there a red hat?"') },
      { type: "image", image },
    ]);
  });

  it("has no answer where something else is said, or only drawn where asked for", async () => {
    const prompt = named("yes-no", "plain/short/seen/words/straight");
    const { model } = scriptedChat("Maybe", withTokens({ maybe: 1 }), "No.");
    await expect(
      judgeYesNo({ model, prompt, question, image, way: "samples" }),
    ).rejects.toMatchObject({ reason: "unparsable" });
    await expect(judgeYesNo({ model, prompt, question, image })).rejects.toMatchObject({
      reason: "unparsable",
    });
    const said = await judgeYesNo({ model, prompt, question, image, way: "samples" });
    expect(said.probability).toBe(0);
  });
});

describe("a rating", () => {
  it.each([
    ["plain/short/fidelity/digits/straight", { "4": 0.5, "2": 0.25, "5": 0.05, x: 0.2 }],
    ["plain/short/fidelity/letters/flipped", { D: 0.5, b: 0.25, "E.": 0.05, x: 0.2 }],
    ["plain/short/fidelity/marks/flipped", { Good: 0.5, poor: 0.25, perfect: 0.05, x: 0.2 }],
  ])("is read by its place on the scale: %s", async (id, said) => {
    const { model } = scriptedChat(withTokens(said));
    const judged = await judgeRating({
      model,
      prompt: named("ordinal", id),
      caption: "a cat",
      image,
    });
    // (4 * 0.5 + 2 * 0.25 + 5 * 0.05) / 0.8
    expect(judged.expected).toBeCloseTo(3.4375, 9);
    expect(judged.probabilities[1]).toBeCloseTo(0.3125, 12);
    expect(judged.interval).toEqual([2, 5]);
    expect(judged.remaining).toBeCloseTo(0.2, 12);
    expect(judged).not.toHaveProperty("unlisted");
  });

  it("says which ratings the model did not list", async () => {
    const { model } = scriptedChat(withTokens({ "4": 0.9, "5": 0.08, "3": 0.01 }));
    const prompt = named("ordinal", "plain/short/fidelity/digits/straight");
    const judged = await judgeRating({ model, prompt, caption: "a cat", image });
    expect(judged.unlisted).toEqual([1, 2]);
    expect(judged.probabilities.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it("has the interval of its distribution", () => {
    expect(ratingDistribution([0, 0, 1, 0, 0])).toMatchObject({ expected: 3, interval: [3, 3] });
    expect(ratingDistribution([0.02, 0.02, 0.9, 0.03, 0.03]).interval).toEqual([2, 5]);
    expect(ratingDistribution([0.2, 0.2, 0.2, 0.2, 0.2])).toMatchObject({
      expected: expect.closeTo(3, 12),
      interval: [1, 5],
    });
  });
});

describe("an ensemble of ratings", () => {
  const kind = ratingAnswers({ ratings: 3, within: 0 });
  const answers = Float64Array.of(
    ...[0.8, 0.1, 0.1, 0.1, 0.1, 0.8], // one image, by two prompts
    ...[0.1, 0.8, 0.1, 0.2, 0.6, 0.2],
  );
  const judge = { clusters: 1, temperature: null, centroids: new Float64Array() };
  const weights = Float64Array.of(0.75, 0.25);
  const sharesOf = (said: Float64Array) =>
    ensembleAnswers({ ...judge, weights }, { answers: said, prompts: 2, kind });

  it("mixes each rating's probability by the weights", () => {
    const [first = new Float64Array()] = sharesOf(answers);
    expect([...first]).toEqual([0.625, 0.1, 0.275].map((share) => expect.closeTo(share, 12)));
    expect(ratingDistribution([...first]).expected).toBeCloseTo(0.625 + 0.2 + 0.825, 12);
    expect(kind.decide(first)).toEqual({ says: 1, confidence: expect.closeTo(0.625, 12) });
  });

  it("goes by the prompts that answered, and by none says nothing", () => {
    const gaps = Float64Array.from(answers, (each, at) => (at < 3 || at >= 6 ? Number.NaN : each));
    const [first, second = new Float64Array()] = sharesOf(gaps);
    expect(first?.[2]).toBeCloseTo(0.8, 12);
    expect(kind.decide(second).confidence).toBeNaN();
  });

  it("is fitted to the ratings that people gave, by the objectives of pairs", () => {
    const { weights: fitted } = fitJudge(
      { labels: [1, 2], answers, prompts: 2, kind },
      { objective: "global-entropy", lambda: 1, clusters: 1, seed: 0 },
    );
    // softmax of the summed logarithms: (0.8 * 0.8) : (0.1 * 0.6)
    expect(fitted[0]).toBeCloseTo(0.64 / 0.7, 9);
  });

  it("counts as an error what is further off than allowed", () => {
    expect([1, 2, 3].map((label) => kind.isWrong(2, label))).toEqual([true, false, true]);
    const lenient = ratingAnswers({ ratings: 4, within: 1 });
    expect([1, 2, 3, 4].map((label) => lenient.isWrong(2, label))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});
