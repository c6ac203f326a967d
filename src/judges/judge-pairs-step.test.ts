import { encode } from "fast-png";
import { describe, expect, it } from "vitest";
import { MemoryRun } from "../../test/support/memory-run.js";
import { hashOf } from "../core/keys.js";
import type { ChatModel, ChatReply, ChatRequest } from "../core/models.js";
import { withTokens } from "../testing/fake-models.js";
import { composePrompts } from "./compose-prompts.js";
import { type JudgePairsOptions, judgePairs, type PairToJudge } from "./judge-pairs-step.js";
import { preferenceTable } from "./pairwise-judge.js";
import { loadPromptPool } from "./read-prompt-pool.js";
import { samplePrompts } from "./sample-prompts.js";

const all = composePrompts(loadPromptPool("pairwise").pool);
const prompts = samplePrompts({ prompts: all, count: 4, seed: 0 });

const dot = (level: number) =>
  encode({ width: 1, height: 1, channels: 3, depth: 8, data: new Uint8Array([level, 0, 0]) });

const run = () => {
  const made = new MemoryRun();
  const pairs = [10, 90].map((level): PairToJudge => {
    const [imageA, imageB] = [dot(level), dot(50)].map((bytes) => {
      made.blobs.set(hashOf(bytes), bytes);
      return hashOf(bytes);
    });
    if (imageA === undefined || imageB === undefined) throw new Error("Two images were made");
    return { pair: `pair-${level}`, caption: "something red", imageA, imageB };
  });
  return { made, pairs };
};

/** Finds the redder image better by 80 %, and adds 10 % for the first place. */
type Answering = (request: ChatRequest, trial: number) => Promise<ChatReply>;
const redSeer = (answer: Answering = redderIsBetter): ChatModel => ({
  identity: { provider: "test", model: "red-seer", revision: "2" },
  chat: async (request, options) => answer(request, options?.trial ?? 0),
});
async function redderIsBetter({ messages }: ChatRequest): Promise<ChatReply> {
  const parts = messages.at(-1)?.parts ?? [];
  const images = parts.flatMap((part) => (part.type === "image" ? [part.image] : []));
  const [one = 0, other = 0] = await Promise.all(
    images.map(async (image) => (await image.pixels()).data[0]),
  );
  const labels = parts.slice(1, 4).flatMap((part) => (part.type === "text" ? [part.text] : []));
  const first = (one > other ? 0.8 : 0.2) + 0.1;
  return withTokens({ [labels[0] ?? ""]: first, [labels[1] ?? ""]: 1 - first });
}

const step = (pairs: readonly PairToJudge[], options: Partial<JudgePairsOptions> = {}) =>
  judgePairs({
    model: redSeer(),
    prompts,
    async *pairs() {
      yield* pairs;
    },
    ...options,
  });

describe("judging pairs", () => {
  it("asks each pair by each prompt and says which image was shown first", async () => {
    const { made, pairs } = run();
    const judged = await made.do(step(pairs));
    expect(judged).toHaveLength(2 * 4);
    expect(new Set(judged.map(({ key }) => key)).size).toBe(8);
    for (const judgment of judged) {
      const prompt = prompts.find(({ id }) => id === judgment.prompt);
      expect(judgment.firstShown).toBe(prompt?.parts.order === "flipped" ? "b" : "a");
      if (judgment.status !== "done") throw new Error(judgment.detail);
      const isAredder = judgment.pair === "pair-90";
      const isAfirst = judgment.firstShown === "a";
      const expected = (isAredder ? 0.8 : 0.2) + (isAfirst ? 0.1 : -0.1);
      expect(judgment.probabilities.a).toBeCloseTo(expected, 9);
    }
  });

  it("has the same keys again, and others for other words, another way or allowed ties", async () => {
    const keys = async (options: Partial<JudgePairsOptions> = {}) => {
      const { made, pairs } = run();
      return (await made.do(step(pairs.slice(0, 1), options))).map(({ key }) => key);
    };
    const before = await keys();
    expect(await keys()).toEqual(before);
    const reworded = prompts.map((prompt) => ({ ...prompt, system: `${prompt.system} Hm.` }));
    for (const other of [{ prompts: reworded }, { ties: true }, { way: "samples" } as const]) {
      const changed = new Set<string>(await keys(other));
      expect(before.some((key) => changed.has(key))).toBe(false);
    }
  });

  it("in both orders has a place's bias fall out of the mean, and none of a cell with one order", async () => {
    const { made, pairs } = run();
    const judgments = await made.do(step(pairs, { orders: "both" }));
    const wordings = new Set(prompts.map(({ id }) => id.replace(/\/[^/]*$/, "")));
    expect(judgments).toHaveLength(2 * 2 * wordings.size);
    const table = await preferenceTable({ judgments, orders: "averaged" });
    expect(new Set(table.prompts)).toEqual(wordings);
    for (const { pair, preferences } of table.pairs) {
      for (const value of preferences) expect(value).toBeCloseTo(pair === "pair-90" ? 0.8 : 0.2, 9);
    }
    const oneOrder = judgments.filter(({ firstShown }) => firstShown === "a");
    const half = await preferenceTable({ judgments: oneOrder, orders: "averaged" });
    expect(half.pairs.flatMap(({ preferences }) => preferences).every((one) => one === null)).toBe(
      true,
    );
    expect(half.unscored).toEqual({ "one order alone": 2 * wordings.size });
  });

  it("of a model without log-probabilities takes the share of what it says in trials", async () => {
    const { made, pairs } = run();
    const said: Record<number, string> = { 0: "first", 1: "second", 2: "First!", 3: "Hm" };
    const model = redSeer(async (_, trial) => ({ text: said[trial] ?? "", finish: "stop" }));
    const words = all.filter(({ id }) => id === "plain/short/fidelity/words/straight");
    const options = { model, prompts: words, way: "samples", trials: 4 } as const;
    const judgments = await made.do(step(pairs.slice(0, 1), options));
    expect(
      judgments.map((one) => (one.status === "done" ? one.probabilities.a : one.reason)),
    ).toEqual([1, 0, 1, "unparsable"]);
    const { pairs: rows, unscored } = await preferenceTable({ judgments });
    expect(rows[0]?.preferences).toEqual([2 / 3]);
    expect(unscored).toEqual({});
  });

  it("leaves an unanswered cell empty and says why", async () => {
    const { made, pairs } = run();
    const model = redSeer(async () => ({ text: "No", finish: "refused" }));
    const judgments = await made.do(step(pairs, { model }));
    const columns = [...prompts.map(({ id }) => id), "never/asked"];
    const table = await preferenceTable({ judgments, prompts: columns });
    expect(table.prompts).toEqual(columns);
    expect(table.pairs.map(({ preferences }) => preferences)).toEqual(
      Array(2).fill(Array(5).fill(null)),
    );
    expect(table.unscored).toEqual({ refused: 8, "not asked": 2 });
  });
});
