import { describe, expect, it } from "vitest";
import { sightAsked, stripesSeen } from "../../../test/support/sight-answers.js";
import type { ChatModel, ChatRequest, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { checkSight, sightQuestions } from "./check-sight.js";
import { measureAcuity } from "./sights.js";

const identity = { provider: "test", model: "eyes" };

const base64 = (image: Picture) => Buffer.from(image.bytes).toString("base64");

function askedBy({ messages }: ChatRequest) {
  const parts = messages.at(-1)?.parts ?? [];
  const content = parts.map((part) =>
    part.type === "text"
      ? part
      : { type: "image_url", image_url: { url: `data:image/png;base64,${base64(part.image)}` } },
  );
  return sightAsked({ messages: [{ content }] });
}

/** A model that says what `answer` makes of the colours that it is shown, image by image. */
function eyes(answer: (seen: string[][]) => string): ChatModel & { calls: number } {
  const model = {
    identity,
    calls: 0,
    async chat(request: ChatRequest) {
      model.calls++;
      const { stripes = 0, images = [] } = askedBy(request) ?? {};
      const seen = await Promise.all(images.map((image) => stripesSeen(image, stripes)));
      return { text: answer(seen), finish: "stop" as const };
    },
  };
  return model;
}

const shape = { width: 64, height: 48, mediaType: "image/png" };
const sound = () => eyes((seen) => seen.flat().join(", "));

describe("checkSight", () => {
  it("asks a model that sees four times, in the words that were promised", async () => {
    const model = sound();
    const sight = await checkSight(model, { seed: 1, shape });
    expect(sight).toMatchObject({ state: "sees", right: 16, of: 16 });
    expect(sight.said.map((said) => said.replaceAll(",", ""))).toEqual(sight.drawn);
    expect(model.calls).toBe(4);
    expect(sightQuestions.stripes).toBe(
      "This image has four vertical stripes of equal width. Name their colours from left to right, each one of red, green, blue, yellow, black or white. Answer with four words alone.",
    );
  });

  it("draws no image twice, of which 8 checks in 1,000 would by chance", async () => {
    for (const seed of [42, 82, 95]) {
      const { drawn } = await checkSight(sound(), { seed, shape });
      expect(new Set(drawn).size).toBe(4);
    }
  });

  it("draws other colours for another seed, as JPEG where images are", async () => {
    const drawn = async (seed: number, mediaType: string) =>
      (await checkSight(sound(), { seed, shape: { ...shape, mediaType } })).drawn;
    expect(await drawn(1, "image/png")).toEqual(await drawn(1, "image/jpeg"));
    expect(await drawn(1, "image/png")).not.toEqual(await drawn(2, "image/png"));
  });

  it("calls one blind that says the same to all, after six images of one colour", async () => {
    const model = eyes(() => "red, blue, green, white");
    const sight = await checkSight(model, { seed: 3, shape });
    expect(sight.state).toBe("blind");
    expect(sight.drawn).toHaveLength(10);
    expect(model.calls).toBe(10);
  });

  it("spares one that names single colours alone", async () => {
    const model = eyes((seen) => (seen[0]?.length === 1 ? seen.flat().join() : "red red red red"));
    expect(await checkSight(model, { seed: 3, shape })).toMatchObject({
      state: "unclear",
      note: expect.stringContaining("6 of 6"),
    });
  });

  it.each([
    ["words without a colour", () => "Yes"],
    [
      "a refusal of images",
      () => {
        throw new NoAnswer("bad-input", "no pictures here");
      },
    ],
  ])("is unclear about %s", async (_, answer) => {
    expect(await checkSight(eyes(answer), { seed: 1, shape })).toMatchObject({ state: "unclear" });
  });

  it.each([
    ["keeps only the last image", ([, last = []]: string[][]) => [...last, ...last]],
    ["keeps only the last image", ([, last = []]: string[][]) => last],
    ["keeps only the first image", ([first = []]: string[][]) => [...first, ...first]],
    ["order swapped", ([first = [], last = []]: string[][]) => [...last, ...first]],
  ])("names a judge of pairs that %s", async (note, said) => {
    const model = eyes((seen) => (seen.length === 2 ? said(seen) : seen.flat()).join(" "));
    const sight = await checkSight(model, { seed: 5, shape, images: 2 });
    expect(sight.state).toBe("unclear");
    expect(sight.note).toContain(note);
  });

  it("sees that a judge of pairs sees both", async () => {
    const sight = await checkSight(sound(), { seed: 5, shape, images: 2 });
    expect(sight).toMatchObject({ state: "sees", right: 16 });
    expect(sight.drawn[0]).toContain(" | ");
  });

  it("exempts the lab's models, which know only their own world", async () => {
    const model = { ...sound(), identity: { provider: "lab", model: "judge" } };
    expect((await checkSight(model, { seed: 1 })).state).toBe("exempt");
  });

  it.each([
    ["sees", (levels: readonly number[]) => Float32Array.from(levels)],
    ["blind", () => Float32Array.of(1, 2, 3)],
  ])("says of an encoder that it %s, by the order of similarities", async (state, embed) => {
    const encoder = {
      identity,
      embedImage: async (image: Picture) => {
        const { data } = await image.pixels();
        return embed([...data.subarray(0, 3)].map((level) => level - 100));
      },
      embedText: async (text: string) => {
        const own = {
          red: [155, -100, -100],
          green: [-100, 28, -100],
          blue: [-100, -100, 155],
          yellow: [155, 155, -100],
          black: [-100, -100, -100],
          white: [155, 155, 155],
        } as Record<string, number[]>;
        return Float32Array.from(own[text.split(" ")[1] ?? ""] ?? []);
      },
    };
    expect((await checkSight(encoder, { seed: 1, shape })).state).toBe(state);
  });
});

it("measures acuity down to the first size with fewer than three right", async () => {
  const model: ChatModel = {
    identity,
    async chat({ messages }) {
      const [image] = (messages.at(-1)?.parts ?? []).flatMap((part) =>
        part.type === "image" ? [part.image] : [],
      );
      if (image === undefined) throw new Error("Expected an image");
      const { data } = await image.pixels();
      const inside = data.reduce((sum, level) => sum + (Math.abs(level - 128) > 64 ? 1 : 0), 0);
      if (inside < 16 * 16) return { text: "grey", finish: "stop" };
      const at = data.findIndex((level) => Math.abs(level - 128) > 64);
      const [seen = ""] = await stripesSeen(base64(image), 0);
      return { text: at < 0 ? "none" : seen, finish: "stop" };
    },
  };
  const seen = await measureAcuity(model, { seed: 1 });
  expect(seen?.of).toBe(1024);
  expect([16, 32]).toContain(seen?.pixels);
  const blind = eyes(() => "red");
  expect(
    (
      await measureAcuity(
        { ...blind, chat: async () => ({ text: "Yes", finish: "stop" }) },
        { seed: 1 },
      )
    )?.pixels,
  ).toBeNull();
  const silent = async () => {
    throw new NoAnswer("timeout", "No answer");
  };
  expect(await measureAcuity({ ...blind, chat: silent }, { seed: 1 })).toBeUndefined();
  const refusing = async () => ({ text: "I can't", finish: "refused" as const });
  expect(await measureAcuity({ ...blind, chat: refusing }, { seed: 1 })).toBeUndefined();
});
