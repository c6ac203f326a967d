import { expect, test } from "vitest";
import { chooseGenerator } from "./generator-choice.js";
import { hostingFor } from "./hosting.js";

const identityOf = async (...words: Parameters<typeof chooseGenerator>) =>
  (await chooseGenerator(...words)).generator.identity;

const hostingWith = (variables: Record<string, string>) =>
  hostingFor({ variables, workingDirectory: "." });

test("each of the lab's painters says its name and how often it errs", async () => {
  expect(await identityOf("lab:painter")).toMatchObject({
    model: "painter",
    revision: "no-defects",
  });
  const revisions = await Promise.all(
    ["a", "b", "c", "d", "e"].map(async (name) => {
      const { model, revision } = await identityOf(`lab:painter-${name}`);
      expect(model).toBe(`painter-${name}`);
      return revision;
    }),
  );
  expect(new Set(revisions).size).toBe(5);
  const { revision } = await identityOf("lab:painter", { defects: "demo" });
  expect(revision).not.toContain("leak");
});

test.each(["lab:painter-f", "lab:painter-", "lab:vqa", "painter", ""])(
  "%s is refused",
  async (text) => {
    await expect(chooseGenerator(text)).rejects.toThrow(
      "Expected lab:painter, or lab:painter-a to -e",
    );
  },
);

test.each([
  ["openai:gpt-image-1", "Expected one of the providers"],
  ["transformers-js:owner/clip", "Expected a model that makes images"],
  ["openai-images:gpt-image-1", "Expected a key for https://api.openai.com/v1 in OPENAI_API_KEY"],
  ["replicate:owner/name", "in REPLICATE_API_TOKEN"],
  ["fal:owner/name", "in FAL_KEY"],
  ["fal:owner/name@1", "fal has none"],
])("%s is refused: %s", async (text, message) => {
  await expect(chooseGenerator(text)).rejects.toThrow(message);
});

test("hosted generators are reached with their own key, or where the environment says", async () => {
  const own = hostingWith({ FAL_KEY: "a-key", REPLICATE_API_TOKEN: "a-token" });
  expect(await identityOf("fal:fal-ai/flux/schnell", { hosting: own })).toEqual({
    provider: "fal",
    model: "fal-ai/flux/schnell",
    baseUrl: "https://queue.fal.run",
  });
  expect(await identityOf("replicate:owner/name@0123", { hosting: own })).toMatchObject({
    model: "owner/name",
    revision: "0123",
  });
  const local = hostingWith({ OPENAI_BASE_URL: "http://localhost:1/v1" });
  expect(await identityOf("openai-images:painter", { hosting: local })).toMatchObject({
    baseUrl: "http://localhost:1/v1",
  });
});

test("a name of the configuration, with its settings", async () => {
  const configured = {
    cheap: {
      provider: "openai-images",
      model: "gpt-image-1",
      baseUrl: "http://localhost:1/v1",
      quality: "low",
      size: "1024x1024",
      concurrency: 2,
    },
  } as const;
  const { generator, callsAtOnce } = await chooseGenerator("cheap", { configured });
  expect(generator.identity).toMatchObject({ revision: "1024x1024+low" });
  expect(callsAtOnce).toBe(2);
});
