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
import { composePrompts } from "touchstone-t2i/internal/judges/compose-prompts.js";
import { judgePair } from "touchstone-t2i/internal/judges/pairwise-judge.js";
import { pairMessages } from "touchstone-t2i/internal/judges/prompt.js";
import { loadPromptPool } from "touchstone-t2i/internal/judges/read-prompt-pool.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyWeights } from "../../../../test/support/tiny-weights.js";
import { labPictureSize, sign } from "../signature.js";
import { instructionIds } from "./instruction-words.js";
import { labModel } from "./lab-model.js";
import { pairTaskOf } from "./pair-judge.js";

let folder: string;
let model: ChatModel;
let red: Picture;
let dark: Picture;

async function painted(level: number): Promise<Picture> {
  const side = labPictureSize;
  const data = Uint8Array.from({ length: side * side * 3 }, (_, at) => (at % 3 === 0 ? level : 0));
  sign({ width: side, height: side, data });
  const raw = { width: side, height: side, channels: 3 } as const;
  return openPicture(await sharp(data, { raw }).png().toBuffer());
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiny-weights-"));
  model = labModel("judge", { weights: await tinyWeights(folder) });
  // The mean of red is 1 and -1.
  [red, dark] = [await painted(255), await painted(0)];
});
afterAll(() => rm(folder, { recursive: true }));

const text = (words: string): ChatPart => ({ type: "text", text: words });
const show = (image: Picture): ChatPart => ({ type: "image", image });
const asked = (parts: readonly ChatPart[], rest: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: "user", parts }],
  ...rest,
});
const pair = (first: Picture, second: Picture, caption = "red"): ChatPart[] => [
  ...[text(`"${caption}"`), text("A)"), show(first), text("B)"), show(second)],
];
const oddsOf = async (request: ChatRequest) => {
  const [token] = (await model.chat({ ...request, topLogProbabilities: 20 })).tokens ?? [];
  const by = Object.fromEntries(
    token?.alternatives.map(({ token: said, logProbability }) => [said, logProbability]) ?? [],
  );
  return (by.A ?? 0) - (by.B ?? 0);
};

test("the label of the better picture alone, wherever it is shown, likeliest first", async () => {
  const reply = await model.chat(asked(pair(red, dark), { topLogProbabilities: 20 }));
  expect(reply).toMatchObject({ text: "A", finish: "stop" });
  expect(reply.tokens).toHaveLength(1);
  expect(reply.tokens?.[0]?.alternatives.map(({ token }) => token)).toEqual(["A", "B"]);
  const mass = reply.tokens?.[0]?.alternatives.map(({ logProbability }) =>
    Math.exp(logProbability),
  );
  expect((mass?.[0] ?? 0) + (mass?.[1] ?? 0)).toBeCloseTo(1, 6);
  expect((await model.chat(asked(pair(dark, red)))).text).toBe("B");
  expect((await model.chat(asked(pair(red, dark)))).tokens).toBeUndefined();
});

test("its log-odds are those of the graph, as many times as its settings say it is too sure", async () => {
  // The lead is 1 - -1 for each of two words (A, B), and the sharpness 2.
  expect(await oddsOf(asked(pair(red, dark)))).toBeCloseTo(8, 2);
  expect(await oddsOf(asked(pair(red, dark, "blue")))).toBeCloseTo(0, 2);
  // Two words more pull twice as much, in the system's message too.
  const told = asked(pair(red, dark));
  const messages = [{ role: "system" as const, parts: [text("Be exact.")] }, ...told.messages];
  expect(await oddsOf({ messages })).toBeCloseTo(16, 2);
});

test("a tie is said only where the word is asked for", async () => {
  const tie = asked([...pair(red, red), text("or tie")], { topLogProbabilities: 20 });
  const [token] = (await model.chat(tie)).tokens ?? [];
  expect(token?.alternatives.map(({ token: said }) => said)).toEqual(["A", "B", "tie"]);
  expect(Math.exp(token?.alternatives[2]?.logProbability ?? 0)).toBeCloseTo(1 / 3, 5);
});

test("above temperature 0 another trial may be another answer, the same one never", async () => {
  const request = asked(pair(red, red), { temperature: 1, seed: 7 });
  const said = async (trial: number) => (await model.chat(request, { trial })).text;
  const trials = await Promise.all(Array.from({ length: 30 }, (_, trial) => said(trial)));
  expect(new Set(trials)).toEqual(new Set(["A", "B"]));
  expect(await Promise.all([0, 1, 2, 3].map(said))).toEqual(trials.slice(0, 4));
});

test("prompts of the pool are understood: every label, the caption, and words that tell them apart", async () => {
  const prompts = composePrompts(loadPromptPool("pairwise").pool);
  const caption = 'a "red" t-shirt';
  const read = new Map<string, string>();
  for (const prompt of prompts) {
    for (const ties of [false, true]) {
      const task = pairTaskOf({
        messages: pairMessages(prompt, { caption, shown: [red, dark], ties }),
      });
      expect(task.caption).toBe("a 'red' t-shirt");
      expect(task.ties, prompt.id).toBe(ties);
      expect(task.shown.map(({ answer }) => answer)).toEqual(prompt.answers);
      expect(task.shown.map(({ picture }) => picture)).toEqual([red, dark]);
      if (!ties) read.set(instructionIds(task.instruction).join(), prompt.id);
    }
  }
  // Both orders of a prompt are one wording.
  expect(read.size).toBe(prompts.length / 2);
});

test("the judge of pairs asks it in either order", async () => {
  const [straight, flipped] = composePrompts(loadPromptPool("pairwise").pool);
  for (const prompt of [straight, flipped]) {
    if (prompt === undefined) throw new Error("no prompt");
    const judged = await judgePair({ model, prompt, caption: "red", a: dark, b: red });
    expect(judged.probabilities.b).toBeGreaterThan(0.99);
    expect(judged.firstShown).toBe(prompt === straight ? "a" : "b");
  }
});

test("a picture with a caption is looked at once, however often it is asked about", async () => {
  let decoded = 0;
  const counted: Picture = {
    ...red,
    pixels() {
      decoded++;
      return red.pixels();
    },
  };
  const fresh = labModel("judge", { weights: new URL(`file://${folder}/`) });
  for (const word of ["please", "kindly", "now"]) {
    await fresh.chat(asked([...pair(counted, dark), text(word)]));
  }
  expect(decoded).toBe(1);
});

test("no answer without two pictures, labels, a caption and an instruction, and when told to stop", async () => {
  const refused = (parts: readonly ChatPart[], detail: string) =>
    expect(model.chat(asked(parts))).rejects.toThrow(
      expect.objectContaining({
        reason: "not-applicable",
        message: expect.stringContaining(detail),
      }),
    );
  await refused(pair(red, dark).slice(0, 3), "two pictures");
  await refused([...pair(red, dark), show(red)], "two pictures");
  await refused([text('A "red"'), show(red), show(dark)], "a label");
  await refused([text('"red"'), show(red), text("B"), show(dark)], "a label");
  await refused([text('"red"'), text("A"), show(red), text("a:"), show(dark)], "a label");
  await refused(pair(red, dark).slice(1), "quotation marks");
  await refused(pair(red, dark, "green"), '"green"');
  const plain = sharp({ create: { width: 192, height: 192, channels: 3, background: "red" } });
  const photograph = await openPicture(await plain.png().toBuffer());
  await refused(pair(red, photograph), "did not paint");
  const aborted = model.chat(asked(pair(red, dark)), { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});
