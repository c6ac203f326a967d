import { describe, expect, it } from "vitest";
import { MemoryRun } from "../../test/support/memory-run.js";
import { hashOf } from "../core/keys.js";
import type { ChatModel } from "../core/models.js";
import { answersSoFar, type ItemToJudge, meanAnswers } from "./answers-so-far.js";
import { askingOfImages, askingOfPairs } from "./asking.js";
import { composePrompts } from "./compose-prompts.js";
import { judgeImages } from "./judge-images-step.js";
import { judgePairs } from "./judge-pairs-step.js";
import type { Prompt } from "./prompt.js";
import { loadPromptPool } from "./read-prompt-pool.js";
import { samplePrompts } from "./sample-prompts.js";

const chat = (model: string, baseUrl?: string): ChatModel => ({
  identity: { provider: "test", model, ...(baseUrl === undefined ? {} : { baseUrl }) },
  chat: () => Promise.reject(new Error("Nobody is asked here")),
});
const promptOf = (kind: "pairwise" | "yes-no"): Prompt => {
  const prompts = composePrompts(loadPromptPool(kind).pool);
  const [prompt] = samplePrompts({ prompts, count: 1, seed: 0 });
  if (prompt === undefined) throw new Error("A pool has prompts");
  return prompt;
};
const image = (number: number) => hashOf(Uint8Array.of(number));
async function* stream<T>(...all: readonly T[]) {
  yield* all;
}

/** An earlier request, as it differs from the one made now. */
interface Before {
  readonly model?: ChatModel;
  readonly way?: "tokens" | "samples";
  readonly ties?: boolean;
  readonly trials?: number;
  readonly text?: string;
  readonly image?: number;
  readonly words?: string;
}

const now = {
  model: chat("one"),
  way: "tokens",
  ties: false,
  text: "a red hat",
  image: 1,
} as const;

/** The mean of what counts now, where everything that was asked before was answered by 0.75. */
async function ofPairs({ trials = 1, words = "", ...before }: Before): Promise<number> {
  const prompt = promptOf("pairwise");
  const { model, way, ties, text: caption, image: seen } = { ...now, ...before };
  const made = new MemoryRun();
  const pair = { pair: "p", caption, imageA: image(seen), imageB: image(0) };
  const asked = [{ ...prompt, system: prompt.system + words }];
  const step = judgePairs({ model, way, ties, trials, prompts: asked, pairs: () => stream(pair) });
  let trial = 0;
  await made.do({
    ...step,
    perform: async () => {
      const a = trial++ === 0 ? 0.75 : 0;
      return { probabilities: { a, b: 1 - a, tie: 0 }, remaining: 0 };
    },
  });
  const item: ItemToJudge = { id: "p", text: now.text, images: [image(now.image), image(0)] };
  const asking = askingOfPairs({ model: now.model, way: now.way, ties: now.ties, trials: 1 });
  return meanOf(item, prompt, asking.answers(made.view));
}

async function ofQuestions({ trials = 1, words = "", ...before }: Before): Promise<number> {
  const prompt = promptOf("yes-no");
  const { model, way, text, image: seen } = { ...now, ...before };
  const made = new MemoryRun();
  const asked = [{ ...prompt, system: prompt.system + words }];
  const step = judgeImages({
    judge: { model, way },
    trials,
    prompts: asked,
    items: () => stream({ item: "p", text, image: image(seen) }),
  });
  let trial = 0;
  await made.do({
    ...step,
    perform: async () => {
      const yes = trial++ === 0 ? 0.75 : 0;
      return { probabilities: [yes, 1 - yes], remaining: 0 };
    },
  });
  const item: ItemToJudge = { id: "p", text: now.text, images: [image(now.image)] };
  const asking = askingOfImages({ judge: { model: now.model, way: now.way }, trials: 1 });
  return meanOf(item, prompt, asking.answers(made.view));
}

async function meanOf(
  item: ItemToJudge,
  prompt: Prompt,
  answers: Parameters<typeof answersSoFar>[0],
): Promise<number> {
  const said = await answersSoFar(answers, { items: stream(item), prompts: [prompt], width: 1 });
  return meanAnswers(said.get("p"), { prompts: 1, width: 1 })[0] ?? Number.NaN;
}

describe.each([
  ["pairs", ofPairs],
  ["questions", ofQuestions],
])("of %s that a run holds answers to", (_, mean) => {
  it("what was asked as it is now counts", async () => expect(await mean({})).toBe(0.75));

  it.each<[string, Before]>([
    ["another model's", { model: chat("other") }],
    ["those of another server's model", { model: chat("one", "http://other") }],
    ["those got in another way", { way: "samples" }],
    ["those to another text", { text: "a blue hat" }],
    ["those to another image", { image: 2 }],
    ["those in other words", { words: " Hm." }],
  ])("%s count for nothing", async (_, before) => expect(await mean(before)).toBeNaN());

  it("further trials count for nothing", async () => expect(await mean({ trials: 3 })).toBe(0.75));
});

it("answers that might call both equal count for nothing where they may not", async () =>
  expect(await ofPairs({ ties: true })).toBeNaN());
