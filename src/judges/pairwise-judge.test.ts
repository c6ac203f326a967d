import { describe, expect, it, test } from "vitest";
import type { Hash } from "../core/keys.js";
import type { ChatReply, Picture } from "../core/models.js";
import { scriptedChat, withTokens } from "../testing/fake-models.js";
import { composePrompts } from "./compose-prompts.js";
import {
  choose,
  inBothOrders,
  type JudgingWay,
  judgePair,
  preferenceForA,
  turned,
} from "./pairwise-judge.js";
import type { Prompt } from "./prompt.js";
import { loadPromptPool } from "./read-prompt-pool.js";

const a = { hash: "a" as Hash } as Picture;
const b = { hash: "b" as Hash } as Picture;
const all = composePrompts(loadPromptPool("pairwise").pool);
const named = (id: string): Prompt => {
  const prompt = all.find((one) => one.id === id);
  if (prompt === undefined) throw new Error(`No prompt ${id}`);
  return prompt;
};
const digits = named("plain/short/fidelity/1-2-dot/straight");

function ask(reply: Partial<ChatReply> | string, prompt: Prompt, way: JudgingWay = {}) {
  const { model, asked } = scriptedChat(reply);
  const judged = judgePair({ model, prompt, caption: "a cat", a, b, ...way });
  return { judged, shown: () => imagesOf(asked[0]?.messages.at(-1)?.parts) };
}
const imagesOf = (parts: readonly { type: string; image?: Picture }[] = []) =>
  parts.flatMap(({ image }) => (image === undefined ? [] : [image.hash]));

describe("one asking", () => {
  it("of a straight prompt shows a first and reads its label as a", async () => {
    const { judged, shown } = ask(withTokens({ "1": 0.6, " 1.": 0.15, "2": 0.25 }), digits);
    expect(await judged).toEqual({
      firstShown: "a",
      probabilities: { a: expect.closeTo(0.75, 12), b: expect.closeTo(0.25, 12), tie: 0 },
      remaining: expect.closeTo(0, 12),
    });
    expect(shown()).toEqual(["a", "b"]);
  });

  it("of a flipped prompt shows b first and reads the first label as b", async () => {
    const { judged, shown } = ask(withTokens({ "1": 0.75, "2": 0.2, I: 0.05 }), turned(digits));
    expect(await judged).toEqual({
      firstShown: "b",
      probabilities: {
        a: expect.closeTo(0.2 / 0.95, 12),
        b: expect.closeTo(0.75 / 0.95, 12),
        tie: 0,
      },
      remaining: expect.closeTo(0.05, 12),
    });
    expect(shown()).toEqual(["b", "a"]);
  });

  it("counts a tie half where one is allowed, and as something else where not", async () => {
    const reply = withTokens({ first: 0.5, Second: 0.1, Tie: 0.4 });
    const prompt = named("plain/short/fidelity/words/straight");
    const { probabilities } = await ask(reply, prompt, { ties: true }).judged;
    expect(probabilities.tie).toBeCloseTo(0.4, 12);
    expect(preferenceForA(probabilities)).toBeCloseTo(0.7, 12);
    const without = await ask(reply, prompt).judged;
    expect(without.remaining).toBeCloseTo(0.4, 12);
    expect(preferenceForA(without.probabilities)).toBeCloseTo(0.5 / 0.6, 12);
  });

  it("names the side, not the place, of an answer that is not listed", async () => {
    const judged = await ask(withTokens({ "1": 0.98, I: 0.02 }), turned(digits)).judged;
    expect(judged).toMatchObject({ firstShown: "b" });
    // Nothing is left for what is not listed, so nothing is made up for it.
    expect(judged).not.toHaveProperty("unlisted");
    const short = await ask(withTokens({ "1": 0.96, I: 0.02 }), turned(digits)).judged;
    expect(short.unlisted).toEqual(["a"]);
    expect(short.probabilities.a).toBeCloseTo(0.02 / 0.98, 9);
  });

  it("in samples is what was said", async () => {
    const { judged } = ask("2.", digits, { way: "samples" });
    expect((await judged).probabilities).toEqual({ a: 0, b: 1, tie: 0 });
  });

  it.each<[string, Partial<ChatReply> | string, string]>([
    ["a refusal", { text: "I would rather not", finish: "refused" }, "refused"],
    ["another word", withTokens({ Both: 0.9, "1": 0.1 }), "unparsable"],
    ["marks alone", withTokens({ "**": 1 }), "unparsable"],
    ["too few alternatives", withTokens({ "1": 0.7 }), "unparsable"],
    ["no log-probabilities", "1", "not-applicable"],
  ])("has no answer after %s", async (_, reply, reason) => {
    await expect(ask(reply, digits).judged).rejects.toMatchObject({ reason });
  });
});

it("prompts in both orders stand beside each other, none twice", () => {
  const flipped = turned(digits);
  const other = named("critic/page/whole/AB/flipped");
  expect(inBothOrders([digits, other, flipped]).map(({ id }) => id)).toEqual([
    digits.id,
    flipped.id,
    other.id,
    turned(other).id,
  ]);
});

describe("choice", () => {
  const picture = (hash: string) => ({ hash: hash as Hash }) as Picture;
  const pair = [picture("one"), picture("two")] as const;
  const words = { first: "A", second: "B", tie: "tie" };

  const ask = (said: Readonly<Record<string, number>>, flipped: boolean, tie = true) => {
    const { model, asked } = scriptedChat(withTokens(said));
    const shown: string[] = [];
    const answer = choose({
      model,
      pair,
      flipped,
      request: (pictures) => {
        shown.push(...pictures.map(({ hash }) => hash));
        return { messages: [] };
      },
      words: tie ? words : { first: "1", second: "2" },
    });
    return { answer, asked, shown };
  };

  test("the likelier image, with all probabilities and the order shown", async () => {
    const { answer, shown } = ask({ A: 0.6, b: 0.1, Tie: 0.1, "?": 0.2 }, false);
    expect(await answer).toEqual({
      choice: "first",
      probabilities: {
        first: expect.closeTo(0.75, 12),
        second: expect.closeTo(0.125, 12),
        tie: expect.closeTo(0.125, 12),
      },
      remaining: expect.closeTo(0.2, 12),
      order: ["one", "two"],
    });
    expect(shown).toEqual(["one", "two"]);
  });

  test("a flipped pair is shown the other way round and turned back", async () => {
    const { answer, shown } = ask({ A: 0.75, B: 0.25 }, true);
    expect(shown).toEqual(["two", "one"]);
    expect(await answer).toMatchObject({
      choice: "second",
      probabilities: { first: expect.closeTo(0.25, 12), second: expect.closeTo(0.75, 12), tie: 0 },
      order: ["two", "one"],
    });
  });

  test("equal probabilities are a tie, and a tie may be the answer", async () => {
    expect((await ask({ "1": 0.5, "2": 0.5 }, false, false).answer).choice).toBe("tie");
    expect((await ask({ tie: 0.8, A: 0.2 }, false).answer).choice).toBe("tie");
  });

  test("another word is no choice", async () => {
    await expect(ask({ Neither: 0.9, A: 0.1 }, false).answer).rejects.toMatchObject({
      reason: "unparsable",
    });
  });
});
