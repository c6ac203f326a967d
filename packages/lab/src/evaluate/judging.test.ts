import { encode } from "fast-png";
import type { ChatModel, ChatRequest } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { beforeAll, describe, expect, test } from "vitest";
import { evaluateJudging } from "./judging.js";
import { type PreferencePair, paintPreferencePairs } from "./preference-pictures.js";

let pairs: PreferencePair[];
beforeAll(async () => {
  const picture = (level: number, at: number) =>
    openPicture(encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(level, at, 0) }));
  pairs = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(async (at) => ({
      caption: `A dog ${at}.`,
      style: at < 3 ? "noto" : "fluent",
      subject: "animals",
      // The better one is the redder.
      ...(at % 2 === 0
        ? { a: await picture(200, at), b: await picture(100, at), better: "a" as const }
        : { a: await picture(100, at), b: await picture(200, at), better: "b" as const }),
    })),
  );
});

/** Says the first label with a probability that depends on both levels of red and on the words. */
const judge = (
  probability: (levels: readonly [number, number], words: string) => number,
): ChatModel => ({
  identity: { provider: "test", model: "judge" },
  async chat({ messages }: ChatRequest) {
    const parts = messages.flatMap((message) => message.parts);
    const pictures = parts.flatMap((part) => (part.type === "image" ? [part.image] : []));
    const words = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(" ");
    const [first = 0, second = 0] = await Promise.all(
      pictures.map(async (one) => (await one.pixels()).data[0] ?? 0),
    );
    const labels = parts.flatMap((part, at) => {
      const before = parts[at - 1];
      return part.type === "image" && before?.type === "text" ? [before.text] : [];
    });
    const share = probability([first, second], words);
    const alternatives = [share, 1 - share].map((one, at) => ({
      token: labels[at] ?? "",
      logProbability: Math.log(one),
    }));
    const token = { token: labels[0] ?? "", logProbability: Math.log(share), alternatives };
    return { text: token.token, finish: "stop", tokens: [token] };
  },
});

const evaluate = (model: ChatModel) =>
  evaluateJudging(model, { pairs, clock: () => 0, seed: 0, wordings: 8 });

describe("a judge of pairs", () => {
  test("who sees is right in both orders by every wording, and as sure as it says", async () => {
    const report = await evaluate(judge(([first, second]) => (first > second ? 0.9 : 0.1)));
    expect(report.right.overall).toMatchObject({ value: 1, n: 96, pairs: 6, unscored: 0 });
    expect(Object.keys(report.right.wordings)).toHaveLength(8);
    expect(report.right.styles.noto).toMatchObject({ value: 1, n: 48, pairs: 3 });
    expect(report.right.subjects.animals?.n).toBe(96);
    expect(report.confidence.value).toBeCloseTo(0.9, 9);
    expect(report.placeBias.value).toBeCloseTo(0, 9);
    expect(report.milliseconds).toMatchObject({ image: { n: 6 }, prompt: { n: 90 } });
  });

  test("who prefers the first place is right half of the time, and its bias is seen", async () => {
    const report = await evaluate(judge(() => 0.8));
    expect(report.right.overall).toMatchObject({ value: 0.5, n: 96 });
    expect(report.placeBias.value).toBeCloseTo(0.3, 9);
    // Every pair has the same bias, so that no resample differs.
    expect(report.placeBias).toMatchObject({ low: null, high: null });
    const fair = await evaluate(judge(() => 0.5));
    expect(fair.right.overall.value).toBe(0.5);
    expect(fair.confidence.value).toBe(0.5);
  });

  test("certain answers count as well", async () => {
    const report = await evaluate(judge(([first, second]) => (first > second ? 0 : 1)));
    expect(report.right.overall.value).toBe(0);
    expect(report.confidence.value).toBe(1);
    const second = await evaluate(judge(() => 0));
    expect(second.placeBias.value).toBe(-0.5);
  });

  test("wordings that mislead it are seen apart", async () => {
    const report = await evaluate(
      judge(([first, second], words) => {
        const isRight = first > second;
        return isRight === words.includes("art critic") ? 0.1 : 0.9;
      }),
    );
    const { wordings } = report.right;
    const critics = Object.entries(wordings).filter(([name]) => name.startsWith("critic/"));
    expect(critics.length).toBeGreaterThan(0);
    for (const [name, { value }] of Object.entries(wordings)) {
      expect(value).toBe(name.startsWith("critic/") ? 0 : 1);
    }
  });

  test("no answer is unscored, and no number", async () => {
    const silent = judge(() => {
      throw new NoAnswer("not-applicable", "no");
    });
    const report = await evaluate(silent);
    expect(report.right.overall).toMatchObject({ value: null, n: 0, unscored: 96 });
    expect(report.placeBias).toMatchObject({ value: null, reason: "there are none" });
  });
});

test("pairs are the lab's: one caption, one of them better, the same for a seed", async () => {
  const painted = await paintPreferencePairs({ captions: 9, seed: 1 });
  expect(painted.length).toBeGreaterThan(2);
  expect(new Set(painted.map(({ style }) => style)).size).toBeGreaterThan(1);
  for (const { a, b, caption } of painted) {
    expect(a.hash).not.toBe(b.hash);
    expect(caption.length).toBeGreaterThan(10);
  }
  const facts = (some: readonly PreferencePair[]) =>
    some.map(({ a, b, better, caption }) => [a.hash, b.hash, better, caption]);
  const again = await paintPreferencePairs({ captions: 9, seed: 1 });
  expect(facts(again)).toEqual(facts(painted));
});
