import { expect, test } from "vitest";
import { factsOfModels, modelsBehind, modelsOf } from "./metric.js";
import type { ModelIdentity } from "./models.js";

const model = (name: string, baseUrl?: string): { identity: ModelIdentity } => ({
  identity: { provider: "p", model: name, ...(baseUrl === undefined ? {} : { baseUrl }) },
});
const here = model("here");
const [a, b] = ["http://a/v1", "http://b/v1"];

test("models on this machine have no address", () => {
  expect(factsOfModels([here, here, model("other")], here)).toEqual({
    model: "p:here + p:other / p:here",
  });
});

test("models of one name on two servers are two", () => {
  const facts = factsOfModels([model("m", a), model("m", b), model("m", b)]);
  expect(facts).toEqual({ model: "p:m + p:m", baseUrl: "http://a/v1 + http://b/v1" });
  expect(modelsBehind(facts)).toEqual(["p:m at http://a/v1", "p:m at http://b/v1"]);
});

test("each address belongs to one model, whoever has none", () => {
  const asked = [
    { models: [here, model("m", a)], decomposer: model("d", b) },
    { models: [model("m", a), here], decomposer: model("d", b) },
    { models: [model("m", a), here], decomposer: here },
    { models: [here], decomposer: model("m", a) },
    { models: [model("m", a)] },
  ];
  const all = asked.map(({ models, decomposer }) => factsOfModels(models, decomposer));
  expect(all.map(({ baseUrl }) => baseUrl)).toEqual([
    "local + http://a/v1 / http://b/v1",
    "http://a/v1 + local / http://b/v1",
    "http://a/v1 + local / local",
    "local / http://a/v1",
    "http://a/v1",
  ]);
  expect(all[3] && modelsOf(all[3])).toEqual({
    models: [{ model: "p:here" }],
    decomposer: { model: "p:m", baseUrl: a },
  });
});
