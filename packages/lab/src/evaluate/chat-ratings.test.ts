import { encode } from "fast-png";
import type { ChatModel, ChatRequest } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { expect, test } from "vitest";
import { evaluateRating } from "./chat-ratings.js";
import type { HeldOutPicture } from "./held-out.js";

const pictures = ["dog", "cat", "chair"].map(
  (subject, index): HeldOutPicture => ({
    bytes: encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(index, 0, 0) }),
    style: index === 0 ? "noto" : "twemoji",
    scene: { subject, place: "meadow", extras: [] },
    questions: [],
    captions: { skewed: `A ${subject}.`, balanced: `A ${subject}.` },
    sought: [],
  }),
);

/** Says a digit, sure of it, by what it is asked; `seen` is the level of the picture's red. */
const judge = (digitFor: (text: string, seen: number) => number): ChatModel => ({
  identity: { provider: "test", model: "judge" },
  async chat({ messages }: ChatRequest) {
    const [image, text] = messages[0]?.parts ?? [];
    if (image?.type !== "image" || text?.type !== "text") throw new Error("no picture");
    const seen = (await image.image.pixels()).data[0] ?? 0;
    const digit = String(digitFor(text.text, seen));
    const alternatives = ["1", "2", "3", "4"].map((token) => ({
      token,
      logProbability: token === digit ? 0 : -100,
    }));
    const said = { token: digit, logProbability: 0, alternatives };
    return { text: digit, finish: "stop", tokens: [said] };
  },
});

const evaluate = (model: ChatModel, some = pictures) =>
  evaluateRating(model, { pictures: some, clock: () => 0 });

const shows = (text: string, seen: number) =>
  text.includes(["dog", "cat", "chair"][seen] ?? "nothing");

test("who sees prefers each picture's own caption, however it is asked", async () => {
  const report = await evaluate(judge((text, seen) => (shows(text, seen) ? 4 : 1)));
  expect(report.prefersTrue).toMatchObject({ n: 3, successes: 3, unscored: 0 });
  expect(report.styles).toMatchObject({
    noto: { n: 1, successes: 1 },
    twemoji: { n: 2, successes: 2 },
  });
  expect(report.mean).toEqual({ right: 4, wrong: 1 });
  expect(report.movedByWording).toMatchObject({ n: 3, successes: 0 });
  expect(report.milliseconds).toMatchObject({ image: { n: 3 }, text: { n: 3 } });
});

test("who hears only the wording prefers nothing, and is moved", async () => {
  const report = await evaluate(judge((text) => (text.includes("hard to please") ? 1 : 4)));
  expect(report.prefersTrue).toMatchObject({ n: 3, successes: 0 });
  expect(report.movedByWording).toMatchObject({ n: 3, successes: 3 });
});

test("no answer counts for nothing, and one picture has no wrong caption", async () => {
  const silent = judge(() => {
    throw new NoAnswer("not-applicable", "no");
  });
  const report = await evaluate(silent);
  expect(report).toMatchObject({
    prefersTrue: { n: 0, unscored: 3 },
    mean: { right: null, wrong: null },
    movedByWording: { n: 0, unscored: 3 },
  });
  const alone = await evaluate(
    judge(() => 4),
    pictures.slice(0, 1),
  );
  expect(alone.prefersTrue).toMatchObject({ n: 0, unscored: 1 });
});
