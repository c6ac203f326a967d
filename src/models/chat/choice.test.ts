import { expect, test } from "vitest";
import type { Hash } from "../../core/keys.js";
import type { Picture } from "../../core/models.js";
import { choose } from "../../judges/pairwise-judge.js";
import { scriptedChat, withTokens } from "../../testing/fake-models.js";

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
