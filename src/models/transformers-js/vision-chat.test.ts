import sharp from "sharp";
import { expect, test } from "vitest";
import { arithmeticTransformers } from "../../../test/support/arithmetic-transformers.js";
import type { ChatRequest } from "../../core/models.js";
import { openPicture } from "../../images/picture.js";
import { answersQuestions } from "../chat/answers-questions.js";
import { likeliest, transformersJsChat } from "./vision-chat.js";

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
    / idefics3, smolvlm, qwen2_vl, .* owner\/vlm .*florence2$/,
  );
});

const logitsOf = (...logits: number[]) => ({
  data: Float32Array.from(logits),
  dims: [1, logits.length],
});

test("shares of the whole vocabulary, the likeliest first", () => {
  // e^2 : 1 : e^2 : e, so 7.389 : 1 : 7.389 : 2.718 of 18.496.
  const found = likeliest(logitsOf(2, 0, 2, 1), 3);
  expect(found.map(({ id }) => id)).toEqual([0, 2, 3]);
  expect(Math.exp(found[0]?.logProbability ?? 0)).toBeCloseTo(0.39949, 4);
  expect(Math.exp(found[2]?.logProbability ?? 0)).toBeCloseTo(0.14696, 4);
});

test("of several rows the last; of large numbers no overflow; what is ruled out has no mass", () => {
  const data = Float32Array.of(9, 0, 1000, Number.NEGATIVE_INFINITY);
  expect(likeliest({ data, dims: [1, 2, 2] }, 2)).toEqual([
    { id: 0, logProbability: 0 },
    { id: 1, logProbability: Number.NEGATIVE_INFINITY },
  ]);
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY]])("%s is no answer", (logit) => {
  expect(() => likeliest(logitsOf(0, logit), 2)).toThrow(
    expect.objectContaining({ reason: "unparsable", message: expect.stringContaining(`${logit}`) }),
  );
});

test("nor are numbers of another kind", () => {
  expect(() => likeliest({ data: [1, 2] }, 2)).toThrow(
    expect.objectContaining({ reason: "unparsable", message: expect.stringContaining("32-bit") }),
  );
});
