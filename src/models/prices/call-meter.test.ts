import { expect, test } from "vitest";
import type { ChatRequest } from "../../core/models.js";
import { forecast, triedOf } from "../../runs/step-forecast.js";
import { fakePicture, scriptedChat, withTokens } from "../../testing/fake-models.js";
import { answersQuestions } from "../chat/answers-questions.js";
import { CallMeter, type EmbeddingRequest } from "./call-meter.js";

const request: ChatRequest = { messages: [] };

test("counts calls in place of making them, and makes them when it does not count", async () => {
  const { model, asked } = scriptedChat(withTokens({ Yes: 0.5, No: 0.5 }));
  const meter = new CallMeter();
  const counted = meter.ofChat(model, { from: "2026-04", isExact: false, expected: () => 0.25 });
  const found = await meter.count(async () => {
    await expect(counted.chat(request)).rejects.toThrow("only counted");
    await counted.chat(request);
  });
  expect(found).toEqual({
    calls: 2,
    cost: 0.5,
    isExact: false,
    unpriced: new Set(),
    prices: new Set(["2026-04"]),
    first: [],
    again: [],
  });
  expect(asked).toHaveLength(0);
  await counted.chat(request);
  expect(asked).toHaveLength(1);
});

test("what a cache would answer the second time is counted once", async () => {
  const { model } = scriptedChat();
  const meter = new CallMeter();
  const counted = meter.ofChat(model, undefined, { keyOf: ({ seed }) => String(seed) });
  const ask = (seed: number) => () => counted.chat({ ...request, seed });
  expect((await forecast(meter, [ask(1), ask(2), ask(1)], 3)).calls).toBe(2);
});

test("embeddings are counted, each once where they are kept", async () => {
  const asked: string[] = [];
  const embed = async (what: string) => {
    asked.push(what);
    return Float32Array.of(1);
  };
  const model = {
    identity: { provider: "test", model: "clip" },
    embedText: embed,
    embedImage: ({ hash }: { readonly hash: string }) => embed(hash),
  };
  const meter = new CallMeter();
  const pricing = { from: "2026-04", isExact: false, expected: () => 0.5 };
  const keyOf = (request: EmbeddingRequest) => JSON.stringify(request);
  const counted = meter.ofEmbedder(model, pricing, { keyOf });
  const text = () => counted.embedText("a cat");
  const image = () => counted.embedImage(fakePicture());
  expect(await forecast(meter, [text, image, text], 3)).toMatchObject({ calls: 2, cost: 1 });
  expect(asked).toHaveLength(0);
  await text();
  expect(asked).toEqual(["a cat"]);
});

test("questions that are asked at once are all counted; a price that is not known is named", async () => {
  const { model } = scriptedChat();
  const meter = new CallMeter();
  const answerer = answersQuestions(meter.ofChat(model, undefined));
  const ask = () => answerer.probabilityOfYes({ hash: "aa" } as never, ["A?", "B?", "C?"]);
  const found = await forecast(meter, [ask, ask], 10);
  expect(found).toMatchObject({ calls: 30, cost: undefined, prices: [] });
  expect(found.unpriced).toHaveLength(1);
});

test("some tasks stand for many, each for itself where they are few", () => {
  const tried = (wanted: number, isMixed = false) =>
    Array.from({ length: wanted }, (_, at) => at).filter(triedOf(wanted, { isMixed })).length;
  expect([tried(0), tried(1000), tried(2000), tried(100_000)]).toEqual([0, 1000, 1000, 1000]);
  expect(tried(100, true)).toBe(5);
});

test.each([
  ["every one of its own", 4000, (at: number) => at],
  ["each comes twice", 2000, (at: number) => at % 2000],
  ["40 in all, in turn", 40, (at: number) => at % 40],
  ["each comes 50 times, one after another", 80, (at: number) => Math.floor(at / 50)],
  ["half come again, half are 41", 2041, (at: number) => (at % 2 ? at : at % 82)],
])("distinct requests are forecast where some tasks stand for many: %s", async (_, calls, of) => {
  const { model } = scriptedChat();
  const meter = new CallMeter();
  const counted = meter.ofChat(model, undefined, { keyOf: ({ seed }) => String(seed) });
  const tried = Array.from({ length: 4000 }, (_, at) => at).filter(triedOf(4000));
  const found = await forecast(
    meter,
    tried.map((at) => () => counted.chat({ ...request, seed: of(at) })),
    4000,
  );
  expect(Math.abs(found.calls / calls - 1)).toBeLessThan(0.15);
});
