import { describe, expect, it } from "vitest";
import type { ChatReply } from "../../core/models.js";
import { scriptedChat, withTokens } from "../../testing/scripted-chat.js";
import { type AnswerWay, answerShares } from "./answer-shares.js";

const spellings = { one: ["a"], other: ["b"], tie: [] };
const ask = (reply: Partial<ChatReply> | string, way?: AnswerWay, trial?: number) => {
  const { model, asked } = scriptedChat(reply);
  const given = { model, request: { messages: [], seed: 7 }, spellings };
  const answer = answerShares(
    way === undefined ? given : { ...given, way },
    trial === undefined ? {} : { trial },
  );
  return { answer, asked };
};

describe("shares by log-probabilities", () => {
  it("sum all spellings of an answer and leave out what else might be said", async () => {
    const { answer } = ask(withTokens({ A: 0.4, " a": 0.1, "B)": 0.25, '"b': 0.05, I: 0.2 }));
    expect(await answer).toEqual({
      mass: { one: expect.closeTo(0.5, 12), other: expect.closeTo(0.3, 12), tie: 0 },
      shares: { one: expect.closeTo(0.625, 12), other: expect.closeTo(0.375, 12), tie: 0 },
      remaining: expect.closeTo(0.2, 12),
      unlisted: [],
    });
  });

  it("give an answer that is not listed the most it can have had", async () => {
    // At most the least of what is listed (0.03), and at most what that leaves (0.02).
    const { answer } = ask(withTokens({ A: 0.95, I: 0.03 }));
    expect(await answer).toEqual({
      mass: { one: expect.closeTo(0.95, 12), other: 0, tie: 0 },
      shares: {
        one: expect.closeTo(0.95 / 0.97, 12),
        other: expect.closeTo(0.02 / 0.97, 12),
        tie: 0,
      },
      remaining: expect.closeTo(0.05, 12),
      unlisted: ["other"],
    });
    const least = ask(withTokens({ A: 0.95, I: 0.01 })).answer;
    expect((await least).shares.other).toBeCloseTo(0.01 / 0.96, 12);
  });

  it("go by the likeliest alternatives, not by a word that was drawn against the odds", async () => {
    const { answer } = ask(withTokens({ I: 0.01, A: 0.7, The: 0.2 }));
    await expect(answer).rejects.toMatchObject({
      message: expect.stringMatching(/other is not among them and could have 9\.0 %/),
    });
  });

  it("are none where too little is listed to tell", async () => {
    await expect(ask(withTokens({ A: 0.9 })).answer).rejects.toMatchObject({
      reason: "unparsable",
      message: expect.stringMatching(/other is not among them and could have 10\.0 %/),
    });
  });

  it.each(["B", "The hat is red, so A", ""])(
    "are none where the log-probabilities are of another text than %j",
    async (text) => {
      const { answer } = ask({ ...withTokens({ A: 0.9, B: 0.05 }), text });
      await expect(answer).rejects.toMatchObject({
        reason: "unparsable",
        message: expect.stringContaining('but its log-probabilities are of "A"'),
      });
    },
  );

  it("are none where the model gives no log-probabilities; the message says what can be done", async () => {
    await expect(ask("A").answer).rejects.toMatchObject({
      reason: "not-applicable",
      message: expect.stringContaining("sampled answers"),
    });
  });
});

describe("shares by what is said", () => {
  it("are all for that answer, drawn by a seed of each trial's own", async () => {
    const { answer, asked } = ask("\n**B**, since the hat is red.", "samples", 3);
    expect(await answer).toEqual({
      mass: { one: 0, other: 1, tie: 0 },
      shares: { one: 0, other: 1, tie: 0 },
      remaining: 0,
      unlisted: [],
    });
    expect(asked[0]).toMatchObject({ temperature: 1, seed: 10 });
    expect(asked[0]).not.toHaveProperty("topLogProbabilities");
  });

  it.each(["", "Neither.", "tie"])(
    "are none for an answer that was not offered: %j",
    async (said) => {
      await expect(ask(said, "samples").answer).rejects.toMatchObject({ reason: "unparsable" });
    },
  );

  it("are none for a refusal", async () => {
    const refused = ask({ text: "No people, please", finish: "refused" }, "samples").answer;
    await expect(refused).rejects.toMatchObject({ reason: "refused" });
  });
});
