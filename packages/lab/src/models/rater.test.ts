import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type {
  ChatModel,
  ChatPart,
  ChatRequest,
  Picture,
} from "touchstone-t2i/internal/core/models.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { mllmRating } from "touchstone-t2i/internal/metrics/chat-rating.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyWeights } from "../../../../test/support/tiny-weights.js";
import { labPictureSize, sign } from "../signature.js";
import { instructionBuckets, instructionIds } from "./instruction-words.js";
import { labModel } from "./lab-model.js";

let folder: string;
let model: ChatModel;
let picture: Picture;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiny-weights-"));
  model = labModel("rater", { weights: await tinyWeights(folder) });
  const side = labPictureSize;
  // All red: the mean colour is 1, -1, -1.
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) => (at % 3 === 0 ? 255 : 0));
  sign({ width: side, height: side, data });
  const raw = { width: side, height: side, channels: 3 } as const;
  picture = await openPicture(await sharp(data, { raw }).png().toBuffer());
});
afterAll(() => rm(folder, { recursive: true }));

const ask = (text: string, rest: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [
    {
      role: "user",
      parts: [
        { type: "image", image: picture },
        { type: "text", text },
      ],
    },
  ],
  ...rest,
});

test("the digit alone, likeliest first, with the probabilities of all four", async () => {
  // Agreement 1, one word of instruction: logits -1, 0, 0 and 1.
  const reply = await model.chat(ask('Rate "red"', { topLogProbabilities: 20 }));
  expect(reply).toMatchObject({ text: "4", finish: "stop" });
  const [digit] = reply.tokens ?? [];
  const sum = Math.exp(-1) + 2 + Math.exp(1);
  expect(digit?.logProbability).toBeCloseTo(1 - Math.log(sum), 3);
  expect(digit?.alternatives.map(({ token }) => token)).toEqual(["4", "2", "3", "1"]);
  const mass = digit?.alternatives.map(({ logProbability }) => Math.exp(logProbability)) ?? [];
  expect(mass.reduce((total, each) => total + each, 0)).toBeCloseTo(1, 6);
  expect((await model.chat(ask('Rate "blue"'))).text).toBe("1");
  expect((await model.chat(ask('Rate "blue"'))).tokens).toBeUndefined();
});

test("JSON where a schema asks for it; only its digit is in doubt", async () => {
  const answerSchema = { name: "rating", schema: {} };
  const reply = await model.chat(ask('Rate "red"', { answerSchema, topLogProbabilities: 2 }));
  expect(JSON.parse(reply.text)).toEqual({ rating: 4 });
  expect(reply.tokens?.map(({ token }) => token).join("")).toBe(reply.text);
  expect(reply.tokens?.map(({ alternatives }) => alternatives.length)).toEqual([1, 2, 1]);
});

test("its instruction is every other word, the system's too, and moves the probabilities", async () => {
  const sureness = async (request: ChatRequest) =>
    (await model.chat({ ...request, topLogProbabilities: 1 })).tokens?.[0]?.logProbability ?? 0;
  const plain = ask('Rate "red"');
  const told = {
    messages: [
      { role: "system" as const, parts: [{ type: "text", text: "Be exact." } as ChatPart] },
      ...plain.messages,
    ],
  };
  // Three words pull three times as much as one; a word counts once.
  const sum = (pull: number) => Math.exp(-pull) + 2 + Math.exp(pull);
  expect(await sureness(told)).toBeCloseTo(3 - Math.log(sum(3)), 2);
  expect(await sureness(ask('Rate rate "red" RATE'))).toBe(await sureness(plain));
});

test("above temperature 0 another trial may be another rating, the same one never", async () => {
  const request = ask('Rate "red"', { temperature: 1, seed: 7 });
  const said = async (trial: number) => (await model.chat(request, { trial })).text;
  const trials = await Promise.all(Array.from({ length: 30 }, (_, trial) => said(trial)));
  expect(new Set(trials).size).toBeGreaterThan(1);
  expect(trials.filter((text) => text === "4").length).toBeGreaterThan(8);
  expect(await Promise.all([0, 1, 2, 3].map(said))).toEqual(trials.slice(0, 4));
});

test("a metric rates with it both ways", async () => {
  const input = { image: picture, text: "red" };
  expect((await mllmRating({ model }).score(input)).value).toBe(4);
  const { value, details } = await mllmRating({ model, convention: "expected" }).score(input);
  expect(value).toBeGreaterThan(3.9);
  expect(details).toMatchObject({ probabilities: expect.any(Array) });
});

test("no answer without one picture, a quoted text or an instruction, and when told to stop", async () => {
  const notApplicable = (detail: string) =>
    expect.objectContaining({
      reason: "not-applicable",
      message: expect.stringContaining(detail),
    });
  const [message] = ask('Rate "red"').messages;
  const parts = message?.parts ?? [];
  const two = { messages: [{ role: "user" as const, parts: [...parts, ...parts] }] };
  const none = { messages: [{ role: "user" as const, parts: parts.slice(1) }] };
  for (const request of [two, none, { messages: [] }]) {
    await expect(model.chat(request)).rejects.toThrow(notApplicable("one picture"));
  }
  await expect(model.chat(ask("Rate red"))).rejects.toThrow(notApplicable("quotation marks"));
  await expect(model.chat(ask('"red"'))).rejects.toThrow(notApplicable("what it is to do"));
  await expect(model.chat(ask('Rate "green"'))).rejects.toThrow(notApplicable('"green"'));
  const aborted = model.chat(ask('Rate "red"'), { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});

test("an instruction's words are numbers, whatever the words, their order and their case", () => {
  expect(instructionIds("Be exact, be KIND.")).toEqual(instructionIds("kind exact be"));
  expect(instructionIds("Seid streng!")).not.toEqual(instructionIds("Seid milde!"));
  for (const id of instructionIds("one two three four five six seven")) {
    expect(id).toBeGreaterThanOrEqual(1);
    expect(id).toBeLessThanOrEqual(instructionBuckets);
  }
  expect(instructionIds("… ?")).toEqual([]);
});
