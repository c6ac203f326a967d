import sharp from "sharp";
import { expect, test } from "vitest";
import { arithmeticTransformers } from "../../../test/support/arithmetic-transformers.js";
import type { ChatRequest } from "../../core/models.js";
import { openPicture } from "../../images/picture.js";
import { answersQuestions } from "../chat/answers-questions.js";
import { transformersJsChat } from "./vision-chat.js";

const library = arithmeticTransformers();
const picture = async (background: string) =>
  openPicture(
    await sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer(),
  );
const request = async (more: Partial<ChatRequest> = {}): Promise<ChatRequest> => ({
  messages: [
    {
      role: "user",
      parts: [
        { type: "image", image: await picture("#ffffff") },
        { type: "text", text: "Is it bright?" },
      ],
    },
  ],
  ...more,
});

test("it writes its likeliest tokens and tells the shares of others", async () => {
  const trace: object[] = [];
  const model = transformersJsChat("owner/vlm", { library });
  const reply = await model.chat(await request({ topLogProbabilities: 3 }), {
    trace: (entry) => trace.push(entry),
  });
  expect(reply).toMatchObject({
    text: "Yes",
    finish: "stop",
    usage: { inputTokens: 3, outputTokens: 2 },
  });
  // The end of the answer is no part of it.
  expect(reply.tokens).toHaveLength(1);
  const [token] = reply.tokens ?? [];
  expect(token?.token).toBe("Yes");
  expect(token?.alternatives.map(({ token: word }) => word)).toEqual(["Yes", " yes", "No"]);
  expect(trace).toEqual([
    {
      kind: "model-call",
      cached: false,
      cost: 0,
      inputTokens: 3,
      outputTokens: 2,
    },
  ]);
  expect(model.identity).toEqual({ provider: "transformers-js", model: "vlm:owner/vlm" });
});

test("cut at its limit; no shares where none were asked for", async () => {
  const reply = await transformersJsChat("o/v", { library }).chat(await request({ maxTokens: 1 }));
  expect(reply).toMatchObject({ text: "Yes", finish: "length" });
  expect("tokens" in reply).toBe(false);
});

test("P(yes) is that of all spellings, and follows the image", async () => {
  const model = answersQuestions(transformersJsChat("owner/vlm", { library }));
  const [bright = 0] = await model.probabilityOfYes(await picture("#ffffff"), ["Is it bright?"]);
  const [dark = 0] = await model.probabilityOfYes(await picture("#000000"), ["Is it bright?"]);
  expect(bright).toBeGreaterThan(dark);
});

test.each(["llava_onevision", "qwen2_vl", "idefics3"])("%s takes its own order", async (kind) => {
  const model = transformersJsChat("owner/vlm", { library: arithmeticTransformers({ kind }) });
  expect((await model.chat(await request())).text).toBe("Yes");
});

test("what it can't do it says", async () => {
  const model = transformersJsChat("owner/vlm", { library });
  const notApplicable = { name: "NoAnswer", reason: "not-applicable" };
  await expect(model.chat(await request({ temperature: 1 }))).rejects.toMatchObject(notApplicable);
  const messages = [{ role: "user", parts: [{ type: "text", text: "Hello" }] }] as const;
  await expect(model.chat({ messages })).rejects.toMatchObject(notApplicable);
  const other = transformersJsChat("owner/vlm", {
    library: arithmeticTransformers({ kind: "florence2" }),
  });
  await expect(other.load()).rejects.toThrow(
    "Expected one of idefics3, smolvlm, qwen2_vl, qwen2_5_vl, llava, llava_onevision for the kind " +
      "of owner/vlm but received florence2",
  );
});
