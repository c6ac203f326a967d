import sharp from "sharp";
import { expect, test } from "vitest";
import { labModel } from "../../../packages/lab/src/models/lab-model.js";
import { misbehavingServer } from "../../../test/support/misbehaving-server.js";
import { openPicture } from "../../images/picture.js";
import { contractsOf, keeps } from "../../models/contracts.js";
import { callsInFlight } from "../../models/python-bridge/python-bridge.js";
import { configurationSchema } from "../configuration/configuration-schema.js";
import { hostingFor } from "./hosting.js";
import { chooseModel } from "./model-choice.js";

const red = async () =>
  openPicture(
    await sharp({ create: { width: 4, height: 2, channels: 3, background: "red" } })
      .png()
      .toBuffer(),
  );

test("a lab model", async () => {
  const { model, judgesPhotographs } = await chooseModel("lab:dual-encoder-skewed");
  expect(model.identity).toEqual(labModel("dual-encoder-skewed").identity);
  expect(judgesPhotographs).toBe(false);
});

test("a revision must be the one that is here", async () => {
  const { revision = "" } = labModel("vqa").identity;
  expect((await chooseModel(`lab:vqa@${revision}`)).model.identity.revision).toBe(revision);
  await expect(chooseModel("lab:vqa@0123456789ab")).rejects.toThrow(
    `Expected revision 0123456789ab of lab:vqa but this version of touchstone has lab:vqa@${revision}`,
  );
});

test("a model of Transformers.js, with a revision or as a folder", async () => {
  const named = await chooseModel("transformers-js:owner/clip@abc");
  expect(named.model.identity).toEqual({
    provider: "transformers-js",
    model: "owner/clip",
    revision: "abc",
  });
  expect(named.judgesPhotographs).toBe(true);
  const folder = await chooseModel("transformers-js:./my-clip");
  expect(folder.model.identity.model).toBe("./my-clip");
});

test("a localiser's settings may say how sure a detection must be, no other model's", async () => {
  const settings = { provider: "transformers-js", threshold: 0.1 } as const;
  const configured = {
    owl: { ...settings, model: "localizer:owner/owlv2+owner/sam" },
    clip: { ...settings, model: "owner/clip" },
  };
  expect(configurationSchema.safeParse({ models: configured }).success).toBe(true);
  const { model } = await chooseModel("owl", configured);
  expect(model.identity.model).toBe("localizer:owner/owlv2+owner/sam, threshold 0.1");
  await expect(chooseModel("clip", configured)).rejects.toThrow(
    "Expected a threshold of a localizer alone but received 0.1 for owner/clip",
  );
});

test("models of Transformers.js of other kinds", async () => {
  const named = async (text: string) => {
    const { model } = await chooseModel(`transformers-js:${text}`);
    return [model.identity.model, ...contractsOf(model)];
  };
  expect(await named("siglip:owner/siglip")).toEqual([
    ...["siglip:owner/siglip", "ImageEmbedder", "TextEmbedder"],
  ]);
  expect(await named("vlm:./my-vlm")).toEqual([
    ...["vlm:./my-vlm", "VisualQuestionAnswering", "ChatModel"],
  ]);
  expect(await named("localizer:a/dino+b/sam")).toEqual(["localizer:a/dino+b/sam", "Localizer"]);
  expect(await named("localizer:a/dino+boxes")).toEqual(await named("localizer:a/dino"));
  expect(await named("localizer:a/dino")).toEqual(["localizer:a/dino+boxes", "Localizer"]);
  await expect(named("llm:owner/llm")).rejects.toThrow("Expected siglip:, vlm: or localizer:");
});

test("a localiser whose boxes another provider's detector gives", async () => {
  const named = "transformers-js:localizer:segment-http:http://localhost:8100+owner/sam2";
  const { model } = await chooseModel(named);
  expect(model.identity).toEqual({
    provider: "transformers-js",
    model: "localizer:segment-http:segment+owner/sam2",
    baseUrl: "http://localhost:8100",
  });
  await expect(chooseModel(`${named}@abc`)).rejects.toThrow(
    "Expected a revision of a detector of transformers-js alone but received abc for segment-http:http://localhost:8100",
  );
  await expect(
    chooseModel("transformers-js:localizer:masks:none.jsonl+owner/sam2"),
  ).rejects.toMatchObject({ code: "input" });
});

test("a localiser whose boxes a configured segmenter gives, with its key", async () => {
  const { baseUrl, received } = await misbehavingServer({
    behave: () => ({ kind: "reply", json: { boxes: [] } }),
  });
  const boxes = { provider: "segment-http", keyVariable: "BOXES_KEY", revision: "v2" } as const;
  const configured = { boxes: { ...boxes, model: baseUrl } };
  const hosting = hostingFor({ variables: { BOXES_KEY: "secret" }, workingDirectory: "." });
  const { model } = await chooseModel("transformers-js:localizer:boxes+b/sam", configured, hosting);
  expect(model.identity).toEqual({
    provider: "transformers-js",
    model: "localizer:segment-http:segment+b/sam",
    baseUrl,
    revision: "v2",
  });
  if (!keeps(model, "Localizer")) throw new Error("Expected a localiser");
  expect(await model.localize(await red(), "skirt")).toBeUndefined();
  expect(received[0]?.headers.authorization).toBe("Bearer secret");
});

test("a metric behind Python, with what its name says", async () => {
  const { model, callsAtOnce } = await chooseModel("python-bridge:t2v-vqa-score:clip-flant5-xl");
  expect(model.identity.model).toBe("t2v-vqa-score:clip-flant5-xl");
  expect(callsAtOnce).toBe(callsInFlight("t2v-vqa-score"));
  const older = await chooseModel("python-bridge:hpsv2@v2.0");
  expect(older.model.identity).toMatchObject({ model: "hpsv2", revision: "v2.0" });
  await expect(chooseModel("python-bridge:hpsv3")).rejects.toMatchObject({
    code: "input",
    hint: "Did you mean hpsv2?",
  });
});

test("a name of the configuration", async () => {
  const configured = {
    clip: { provider: "transformers-js", model: "owner/clip", revision: "abc" },
    judge: { provider: "lab", model: "vqa" },
  } as const;
  const { model } = await chooseModel("clip", configured);
  expect(model.identity).toMatchObject({ model: "owner/clip", revision: "abc" });
  expect((await chooseModel("judge", configured)).model.identity.model).toBe("vqa");
  await expect(chooseModel("other", configured)).rejects.toMatchObject({
    hint: expect.stringContaining("clip, judge, openai-compatible:gpt-4o-mini, "),
  });
});

test.each([
  "qwen2.5-vl@q4_k_m",
  "meta-llama/llama-3.2-11b-vision-instruct:free",
  "accounts/fireworks/models/qwen2p5-vl-32b-instruct",
  "hf.co/org/model-GGUF:Q4_K_M",
  "models/gemini-2.5-flash",
])("a server's own name %s is sent as it stands, and recorded so", async (name) => {
  const { model } = await chooseModel(`openai-compatible:${name}`);
  expect(model.identity).toMatchObject({ provider: "openai-compatible", model: name });
  expect(model.identity).not.toHaveProperty("revision");
});

test.each([
  ["vqa", "Expected provider:model"],
  ["lab:", "Expected provider:model"],
  ["lab:vqa@", "Expected provider:model"],
  ["lap:vqa", "Expected one of the providers openai-compatible, anthropic"],
  ["lab:constructor", 'Expected a model of the lab but received "constructor"'],
  ["constructor:vqa", "Expected one of the providers"],
])("%s is refused", async (text, message) => {
  await expect(chooseModel(text)).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining(message),
  });
});
