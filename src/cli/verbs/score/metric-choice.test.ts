import { expect, test } from "vitest";
import { chooseMetrics } from "./metric-choice.js";

const configured = {
  judge: { provider: "openai-compatible", model: "tiny", baseUrl: "http://localhost/v1" },
} as const;

async function choose(
  names: readonly string[],
  modelTexts: readonly string[] = [],
  otherwise: readonly string[] = [],
) {
  const choice = await chooseMetrics({
    names,
    modelTexts,
    otherwise,
    configured,
    workingDirectory: "/nowhere",
  });
  return {
    names: choice.chosen.map(({ name }) => name),
    models: choice.models.map(({ model }) => model.identity.model),
  };
}

test("a metric is asked of the models that can carry it, and of no other", async () => {
  const models = ["lab:rater", "lab:vqa", "lab:dual-encoder-skewed"];
  const { names } = await choose(["clip-score:cosine", "vqa-score", "mllm-rating"], models);
  expect(names).toEqual([
    "clip-score:cosine=lab:dual-encoder-skewed",
    "vqa-score=lab:vqa",
    "mllm-rating=lab:rater",
  ]);
});

test("a model in place of a metric is told where it belongs", async () => {
  await expect(choose(["lab:proto-score"])).rejects.toMatchObject({
    message: "Expected a metric for --metric but received the model lab:proto-score",
    hint: expect.stringContaining("--model lab:proto-score"),
  });
});

test("a chat model that was made for something else is not asked for ratings", async () => {
  const { names } = await choose(["mllm-rating=lab:rater"]);
  expect(names).toEqual(["mllm-rating=lab:rater"]);
  await expect(choose(["mllm-rating"], ["lab:judge"])).rejects.toThrow(
    /Expected a model that judges ratings for the metric mllm-rating but received lab:judge@\w+, which judges pairs alone/,
  );
  await expect(choose([], ["lab:judge"])).rejects.toThrow(
    /No metric needs the model lab:judge.* alone/,
  );
  await expect(choose(["mllm-rating"], ["lab:rater", "lab:judge"])).rejects.toThrow(
    /None of the metrics mllm-rating asks the model lab:judge/,
  );
});

test("without a name a model is asked by one metric, the first that it can carry", async () => {
  expect((await choose([], ["openai-compatible:tiny"])).names).toEqual([
    "vqa-score=openai-compatible:tiny",
  ]);
  expect((await choose([], ["lab:rater", "lab:vqa"])).names).toEqual([
    "vqa-score=lab:vqa",
    "mllm-rating=lab:rater",
  ]);
  expect((await choose([], ["lab:localizer", "lab:vqa"])).names).toEqual([
    "vqa-score=lab:vqa",
    "localized-vqa-score=lab:vqa,lab:localizer",
  ]);
});

test("a metric with models of its own asks these alone", async () => {
  const pairs = ["vqa-score=openai-compatible:a", "mllm-rating:expected=openai-compatible:b"];
  expect((await choose(pairs)).names).toEqual(pairs);
  expect((await choose([...pairs, "clip-score"], ["lab:dual-encoder-skewed"])).names).toEqual([
    ...pairs,
    "clip-score=lab:dual-encoder-skewed",
  ]);
  expect((await choose(["vqa-score=lab:vqa,lab:vqa-small"])).names).toEqual([
    "vqa-score=lab:vqa",
    "vqa-score=lab:vqa-small",
  ]);
  const localized = "localized-vqa-score:recall:masking=lab:vqa,lab:localizer";
  expect((await choose([localized])).names).toEqual([localized]);
  expect((await choose(["vqa-score=judge"])).names).toEqual(["vqa-score=judge"]);
  expect(await choose(["vqa-score=recorded:./nowhere"]).catch(String)).toContain("nowhere");
  await expect(choose(["vqa-score=lab:dual-encoder-skewed"])).rejects.toThrow(
    /answers questions about images for the metric vqa-score but received lab:dual-encoder-skewed/,
  );
  await expect(choose(["clip-scor=lab:vqa"])).rejects.toThrow('received "clip-scor"');
});

test("a metric that no model can carry names what each of them does", async () => {
  await expect(choose(["clip-score"], ["lab:vqa", "lab:judge"])).rejects.toThrow(
    /Expected a model that embeds images and embeds texts for the metric clip-score but received lab:vqa@\w+, which answers questions about images, and lab:judge@\w+, which judges pairs alone/,
  );
});

test("a metric of a model that is named twice is asked once", async () => {
  const twice = ["clip-score", "clip-score:hessel", "clip-score=lab:dual-encoder-skewed"];
  expect((await choose(twice, ["lab:dual-encoder-skewed"])).names).toEqual([twice[2]]);
});

test("models of the configuration that no metric asks are left out, those that were named are not", async () => {
  const both = ["lab:vqa", "lab:dual-encoder-skewed"];
  expect((await choose(["vqa-score"], [], both)).models).toEqual(["vqa"]);
  expect((await choose(["vqa-score=lab:vqa-small"], [], both)).models).toEqual(["vqa-small"]);
  await expect(choose(["vqa-score"], both)).rejects.toThrow("None of the metrics vqa-score asks");
  await expect(choose(["vqa-score=lab:vqa-small", "vqa-score"])).rejects.toThrow(
    "The metric vqa-score needs a model, and none was named",
  );
});
