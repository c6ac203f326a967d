import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { type NativeChat, nativeChatOf, nativeChats } from "../../../test/support/chat-replies.js";
import { handClock } from "../../../test/support/hand-clock.js";
import { receivedCall, type ServiceCallReceived } from "../../../test/support/image-services.js";
import type { JsonObject } from "../../core/json.js";
import { type ChatRequest, turn } from "../../core/models.js";
import { openPicture } from "../../images/picture.js";
import { answersQuestions } from "../chat/answers-questions.js";
import type { NativeChatOptions } from "./native-chat.js";

const create = { width: 8, height: 6, channels: 3, background: "#c03020" } as const;
const image = await openPicture(await sharp({ create }).png().toBuffer());
const data = Buffer.from(image.bytes).toString("base64");
const question: ChatRequest = {
  messages: [turn("system", "Be brief."), turn("user", image, "Is there a dog?")],
  maxTokens: 8,
  temperature: 1,
  seed: 7,
};

const anthropic = nativeChatOf("anthropic");
const gemini = nativeChatOf("gemini");

function behind(
  { make }: NativeChat,
  reply: (call: ServiceCallReceived, number: number) => Response | object,
  options: NativeChatOptions = {},
) {
  const received: ServiceCallReceived[] = [];
  const trace: JsonObject[] = [];
  const model = make("tiny", {
    baseUrl: "https://chat.test/v1",
    apiKey: "planted-key-0123456789",
    clock: handClock(),
    async fetch(url, init) {
      const call = await receivedCall(url, { ...init, signal: null });
      const answer = reply(call, received.push(call) - 1);
      return answer instanceof Response ? answer : Response.json(answer);
    },
    ...options,
  });
  const ask = (request = question) => model.chat(request, { trace: (entry) => trace.push(entry) });
  return { model, ask, received, trace };
}

test("anthropic is sent a message with the image, and its thought is no part of the answer", async () => {
  const { ask, received, trace } = behind(anthropic, () => anthropic.replies.says("Yes"), {
    price: { input: 3, output: 15 },
  });
  expect(await ask()).toEqual({
    text: "Yes",
    finish: "stop",
    usage: { inputTokens: 25, outputTokens: 30 },
  });
  expect(received[0]?.url.pathname).toBe("/v1/messages");
  expect(received[0]?.headers.get("x-api-key")).toBe("planted-key-0123456789");
  expect(received[0]?.headers.get("anthropic-version")).toBe("2023-06-01");
  expect(received[0]?.body).toEqual({
    model: "tiny",
    max_tokens: 8,
    temperature: 1,
    system: [{ type: "text", text: "Be brief." }],
    messages: [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data } },
          { type: "text", text: "Is there a dog?" },
        ],
      },
    ],
  });
  expect(trace.at(-1)).toMatchObject({ kind: "model-call", cost: (25 * 3 + 30 * 15) / 1e6 });
});

test("gemini is sent contents with the image, and its thought is billed as output", async () => {
  const { ask, received, trace } = behind(gemini, () => gemini.replies.says("Yes"));
  expect(await ask({ ...question, temperature: 1.5 })).toMatchObject({
    text: "Yes",
    usage: { inputTokens: 25, outputTokens: 30 },
  });
  expect(received[0]?.url.pathname).toBe("/v1/models/tiny:generateContent");
  expect(received[0]?.headers.get("x-goog-api-key")).toBe("planted-key-0123456789");
  expect(received[0]?.body).toEqual({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      {
        role: "user",
        parts: [{ inlineData: { mimeType: "image/png", data } }, { text: "Is there a dog?" }],
      },
    ],
    generationConfig: { maxOutputTokens: 8, temperature: 1.5, seed: 7 },
  });
  expect(trace.at(-1)).not.toHaveProperty("cost");
});

describe.each(nativeChats)("$name", (chat) => {
  const { says, cut, refused, answeredBy, limitOf, turnsOf } = chat.replies;

  test("refuses in its words", async () => {
    const { ask } = behind(chat, () => says("I wo", refused));
    expect(await ask()).toMatchObject({
      finish: "refused",
      text: expect.stringContaining("Not that"),
    });
  });

  test("is given room where its thought used up the limit, from then on", async () => {
    const { ask, received } = behind(chat, ({ body }) =>
      limitOf(body) < 5000 ? says("", cut) : says("Yes"),
    );
    expect((await ask()).text).toBe("Yes");
    await ask();
    expect(received.map(({ body }) => limitOf(body))).toEqual([8, 4096, 16_384, 16_384]);
  });

  test("is asked without a temperature that it refuses, from then on", async () => {
    const hot = JSON.stringify({
      error: { message: "temperature is not supported by this model" },
    });
    const { ask, received } = behind(chat, ({ body }) =>
      /"temperature"/.test(JSON.stringify(body)) ? new Response(hot, { status: 400 }) : says("Yes"),
    );
    await ask();
    await ask();
    expect(received).toHaveLength(3);
  });

  test("loses no call that was under way when a temperature was refused", async () => {
    const hot = JSON.stringify({ error: { message: "temperature is not supported" } });
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    let refusals = 0;
    const { model } = behind(chat, () => says("Yes"), {
      async fetch(_, init) {
        if (!String(init?.body).includes('"temperature"')) return Response.json(says("Yes"));
        if (++refusals === 2) release();
        await both;
        return new Response(hot, { status: 400 });
      },
    });
    const [first, second] = await Promise.all([model.chat(question), model.chat(question)]);
    expect([first.text, second.text]).toEqual(["Yes", "Yes"]);
  });

  test("gives P(yes) as the share of yes among samples, and its name says so", async () => {
    const { model, received } = behind(chat, (_, number) => says(number === 1 ? "No" : "Yes"));
    const answering = answersQuestions(model, { way: { kind: "samples", count: 4 } });
    expect(answering.identity).toMatchObject({ provider: chat.name, revision: "samples-4" });
    expect(await answering.probabilityOfYes(image, ["A dog?"])).toEqual([0.75]);
    expect(received).toHaveLength(4);
  });

  test("has no log-probabilities, and what to do is said", async () => {
    const { ask } = behind(chat, () => says("Yes"));
    await expect(ask({ ...question, topLogProbabilities: 5 })).rejects.toThrow(
      expect.objectContaining({
        reason: "not-applicable",
        message: expect.stringContaining("sampled answers"),
      }),
    );
  });

  test("is asked for JSON in words", async () => {
    const { ask, received } = behind(chat, () => says('{"probability": 0.5}'));
    const schema = { type: "object", properties: { probability: { type: "number" } } };
    await ask({ ...question, answerSchema: { name: "p", schema } });
    const sent = JSON.stringify(received[0]?.body);
    expect(sent).toContain("probability");
    // One turn of the user: formats take turns in alternation.
    expect(turnsOf(received[0]?.body)).toHaveLength(1);
  });

  test("names whoever else answers", async () => {
    const { ask } = behind(chat, () => says("Yes", answeredBy("other-9")));
    expect(await ask()).toMatchObject({ answeredBy: "other-9" });
  });

  test("that does not let in ends the work", async () => {
    const { ask } = behind(chat, () =>
      Response.json({ error: { code: 400, message: "API key not valid." } }, { status: 400 }),
    );
    await expect(ask()).rejects.toMatchObject({ code: "input" });
  });
});

test("anthropic refuses a temperature above its scale", async () => {
  const { ask, received } = behind(anthropic, () => anthropic.replies.says("Yes"));
  await expect(ask({ ...question, temperature: 1.5 })).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining("from 0 to 1"),
  });
  expect(received).toHaveLength(0);
});

test("gemini is asked no more after three replies without log-probabilities", async () => {
  const told: string[] = [];
  const { ask, received } = behind(gemini, () => gemini.replies.says("Yes"), {
    tell: (text) => told.push(text),
  });
  for (let time = 0; time < 5; time++) {
    await expect(ask({ ...question, topLogProbabilities: 5 })).rejects.toThrow("log-probabilities");
  }
  expect(received).toHaveLength(3);
  expect(told.join()).toContain("none came with 3 replies");
});

test("gemini's log-probabilities are read where it has some", async () => {
  const chosen = { token: "Yes", tokenId: 1, logProbability: Math.log(0.8) };
  const no = { token: "No", tokenId: 2, logProbability: Math.log(0.2) };
  const logprobsResult = {
    topCandidates: [{ candidates: [chosen, no] }],
    chosenCandidates: [chosen],
  };
  const { model, received } = behind(gemini, () =>
    gemini.replies.says("Yes", { candidate: { logprobsResult } }),
  );
  expect(await answersQuestions(model).probabilityOfYes(image, ["A dog?"])).toEqual([
    expect.closeTo(0.8, 9),
  ]);
  expect(received[0]?.body.generationConfig).toMatchObject({
    responseLogprobs: true,
    logprobs: 20,
  });
});
