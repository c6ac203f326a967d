import { describe, expect, it } from "vitest";
import type { ChatReply } from "../../core/models.js";
import { scriptedChat, withTokens } from "../../testing/fake-models.js";
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
      message: expect.stringMatching(/\bother\b.* 9\.0 %/),
    });
  });

  it("are none where too little is listed to tell", async () => {
    await expect(ask(withTokens({ A: 0.9 })).answer).rejects.toMatchObject({
      reason: "unparsable",
      message: expect.stringMatching(/\bother\b.* 10\.0 %/),
    });
  });

  it.each(["B", "The hat is red, so A", ""])(
    "are none where the log-probabilities are of another text than %j",
    async (text) => {
      const { answer } = ask({ ...withTokens({ A: 0.9, B: 0.1 }), text });
      await expect(answer).rejects.toMatchObject({ reason: "unparsable" });
    },
  );

  const certain = { A: 0.8, B: 0.2 };
  const thinking = { A: 0.1, I: 0.9 };

  it.each([
    ["a special token after it", withTokens(certain, { "<|im_end|>": 1 }), "A"],
    [
      "a thought before it",
      withTokens(thinking, { B: 1 }, { "</think>": 1 }, { "\n": 1 }, certain),
      "<think>I see B.</think>\nA",
    ],
    [
      "a closing mark of several tokens",
      withTokens(thinking, { "</": 1 }, { think: 1 }, { ">\n\n": 1 }, certain),
      "A",
    ],
    ["a box", withTokens({ "<|begin_of_box|>": 1 }, certain, { "<|end_of_box|>": 1 }), "A"],
    ["bold print", withTokens({ "**": 1 }, certain, { "**": 1 }, { ".": 1 }), "**A**."],
    [
      "a member of JSON",
      withTokens({ '{"': 1 }, { answer: 1 }, { '":': 1 }, { ' "': 1 }, certain, { '"}': 1 }),
      '{"answer": "A"}',
    ],
  ])(
    "are those of the answer's own token, whatever stands around it: %s",
    async (_, reply, text) => {
      expect((await ask({ ...reply, text }).answer).shares.one).toBeCloseTo(0.8, 12);
    },
  );

  it.each([
    ["words after it", withTokens(certain, { " red": 1 }, { " cube": 1 }), "A red cube"],
    ["a comma and words", withTokens(certain, { ",": 1 }, { " since": 1 }), "A, since"],
    ["a thought that was never ended", withTokens(certain), "<think>A"],
    ["a thought's tokens alone", withTokens(thinking, { " see": 1 }, certain), "A"],
    ["another word", withTokens(certain, { pple: 1 }), "Apple"],
  ])("are none where the next token does not end the answer: %s", async (_, reply, text) => {
    await expect(ask({ ...reply, text }).answer).rejects.toMatchObject({ reason: "unparsable" });
  });

  it("are none of a reply that was cut off", async () => {
    const { answer } = ask({ ...withTokens(certain), finish: "length" });
    await expect(answer).rejects.toMatchObject({ reason: "unparsable" });
  });

  describe("where a server masks what it did not keep", () => {
    const masked = (probability: number, others: readonly string[], mask = -9999): ChatReply => {
      const kept = { token: "A", logProbability: Math.log(probability) };
      const rest = others.map((token) => ({ token, logProbability: mask }));
      return { text: "A", finish: "stop", tokens: [{ ...kept, alternatives: [kept, ...rest] }] };
    };

    it.each([-9999, -1e30, -100, -30])("%d says nothing of the others", async (mask) => {
      await expect(ask(masked(0.6, ["B", "I"], mask)).answer).rejects.toMatchObject({
        reason: "unparsable",
        message: expect.stringMatching(/60\.0 %.*40\.0 %/),
      });
    });

    it("also where no answer was kept but the rest has too much", async () => {
      const reply = masked(0.6, ["B", "I"]);
      const [first] = reply.tokens ?? [];
      if (first === undefined) throw new Error("There is no token");
      const other = { token: "B", logProbability: Math.log(0.1) };
      const tokens = [{ ...first, alternatives: [...first.alternatives, other] }];
      await expect(ask({ ...reply, tokens }).answer).rejects.toMatchObject({
        reason: "unparsable",
        message: expect.stringMatching(/60\.0 %.*10\.0 %.*30\.0 %/),
      });
    });

    it("what is all but certain counts with the most that the others can have", async () => {
      const { shares, unlisted } = await ask(masked(0.97, ["B", "I"])).answer;
      expect(shares.one).toBeCloseTo(0.97, 12);
      expect(unlisted).toEqual(["other"]);
      expect((await ask(masked(0.9995, ["B"])).answer).shares.one).toBeCloseTo(0.9995, 12);
    });

    it("a small probability in a list that adds up is one", async () => {
      const { answer } = ask(withTokens({ A: 1 - 1e-9, B: 1e-9 }));
      expect((await answer).shares.other).toBeCloseTo(1e-9, 15);
    });
  });

  it("are none where the model gives no log-probabilities; the message says what can be done", async () => {
    await expect(ask("A").answer).rejects.toMatchObject({
      reason: "not-applicable",
      message: expect.stringContaining("sampled answers"),
    });
  });
});

describe("shares by what is said", () => {
  it("are all for that answer, drawn by a seed of each trial's own", async () => {
    const { answer, asked } = ask("\n**B**.", "samples", 3);
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

  it.each([
    "b",
    '"B"',
    "(B)",
    "B)",
    "__B__",
    "```\nB\n```",
    "$\\boxed{\\text{B}}$",
    "<think>A? No.</think>B",
    "The first has no hat.\n</think>\n\nB",
    "[THINK]A[/THINK]B",
    "◁think▷A◁/think▷B",
    "<seed:think>A</seed:think>B",
    "<|START_THINKING|>A<|END_THINKING|>B",
    "<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>final<|message|>B<|return|>",
    "<|begin_of_box|>B<|end_of_box|>",
    "A has no hat, so <answer>B</answer>",
    "B<|im_end|>",
    "B</s>",
    '{"answer": "B"}',
    '```json\n{"reason": "its hat is red", "answer": "B"}\n```',
  ])("are read in %j", async (said) => {
    expect((await ask(said, "samples").answer).shares.other).toBe(1);
  });

  it.each([
    "A red cube is asked for; only B shows it",
    "B, since the hat is red",
    "A or B",
    "A\nB",
    "I say B",
    "<think>B",
    "<answer>A</answer> or <answer>B</answer>",
    '{"better": "A", "worse": "B"}',
    '{"answer": "A"} {"answer": "B"}',
  ])("are none of %j", async (said) => {
    await expect(ask(said, "samples").answer).rejects.toMatchObject({ reason: "unparsable" });
  });

  it("are none of a reply that was cut off", async () => {
    const { answer } = ask({ text: "B", finish: "length" }, "samples");
    await expect(answer).rejects.toMatchObject({ reason: "unparsable" });
  });

  it("are none for a refusal", async () => {
    const refused = ask({ text: "No people, please", finish: "refused" }, "samples").answer;
    await expect(refused).rejects.toMatchObject({ reason: "refused" });
  });
});
