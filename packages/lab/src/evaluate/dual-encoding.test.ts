import { encode } from "fast-png";
import { hashOf } from "touchstone-t2i/internal/core/keys.js";
import type { ImageEmbedder, TextEmbedder } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { expect, test } from "vitest";
import type { Scene } from "../world/scene.js";
import { evaluateDualEncoder } from "./dual-encoding.js";
import type { HeldOutPicture } from "./held-out.js";
import type { PrototypePair } from "./prototype-pairs.js";

const png = (number: number) =>
  encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(number, number >> 8, 0) });

const kinds = ["dog", "cat", "penguin", "bat"];
const placeNames = ["meadow", "beach", "desert", "snow", "forest"];
const colours = ["red", "yellow", "green", "blue", "purple"];

/** A hundred scenes, no two alike; the balanced caption tells all, the skewed one the animal. */
const pictures = Array.from({ length: 100 }, (_, index): HeldOutPicture => {
  const subject = kinds[index % 4] ?? "";
  const place = placeNames[Math.floor(index / 4) % 5] ?? "";
  const colour = colours[Math.floor(index / 20)] ?? "";
  const scene: Scene = { subject, place, extras: [{ kind: "bush", count: 1, colour }] };
  const where = `${place === "snow" ? "in the" : place === "beach" ? "on a" : "in a"} ${place}`;
  return {
    bytes: png(index),
    style: index < 60 ? "noto" : "twemoji",
    scene,
    questions: [],
    sought: [],
    captions: {
      skewed: `A ${subject}.`,
      balanced: `A ${subject} is ${where} with a ${colour} bush.`,
    },
  };
});

const pairs = Array.from(
  { length: 8 },
  (_, index): PrototypePair => ({
    hypernym: index < 4 ? "animal" : "vehicle",
    style: index % 2 === 0 ? "noto" : "twemoji",
    text: index < 4 ? "An animal." : "A vehicle.",
    prototypical: png(1000 + index),
    other: png(2000 + index),
  }),
);

const numberOf = new Map(
  [...Array(3000).keys()].map((number) => [hashOf(png(number)) as string, number]),
);

/** Vectors from a picture's number and a text. */
const encoder = (
  ofImage: (number: number) => readonly number[],
  ofText: (text: string) => readonly number[],
): ImageEmbedder & TextEmbedder => ({
  identity: { provider: "test", model: "encoder" },
  embedImage: async ({ hash }) => Float32Array.from(ofImage(numberOf.get(hash) ?? 0)),
  embedText: async (text) => Float32Array.from(ofText(text)),
});

const oneHot = (place: number) => Array.from({ length: 101 }, (_, at) => (at === place ? 1 : 0));
/** The last place is for whatever is none of the hundred. */
const nothing = 100;

const evaluate = (model: ImageEmbedder & TextEmbedder, some = pictures) =>
  evaluateDualEncoder(model, { pictures: some, pairs, clock: () => 0 });

/** Knows a picture by its number and a full caption by its words. */
const knowing = encoder(
  (number) => oneHot(Math.min(number, nothing)),
  (text) => {
    const place = pictures.findIndex(({ captions }) => captions.balanced === text);
    return oneHot(place < 0 ? nothing : place);
  },
);

/** Sees and reads nothing but the animal. */
const seesAnimals = encoder(
  (number) => oneHot(number % 4),
  (text) => {
    const place = kinds.findIndex((kind) => text.includes(kind));
    return oneHot(place < 0 ? nothing : place);
  },
);

test("who knows every picture finds each by its full caption, and the other way round", async () => {
  const { retrieval } = await evaluate(knowing);
  for (const found of Object.values(retrieval.balanced)) {
    expect(found).toMatchObject({
      right: { n: 100, successes: 100, unscored: 0 },
      true: { n: 100, successes: 100, unscored: 0 },
      rightAmongTrue: 1,
      styles: { noto: { n: 60, successes: 60 }, twemoji: { n: 40, successes: 40 } },
    });
  }
});

test("of pictures that a caption fits equally none is the right one, but each is a true one", async () => {
  const found = (await evaluate(seesAnimals)).retrieval.skewed;
  expect(found.imageForCaption).toMatchObject({
    right: { n: 100, successes: 0 },
    true: { n: 100, successes: 100 },
  });
  // One of the 25 pictures of the animal.
  expect(found.imageForCaption.rightAmongTrue).toBeCloseTo(0.04, 12);
  // Equal captions are one caption.
  expect(found.captionForImage).toMatchObject({
    right: { n: 100, successes: 100 },
    rightAmongTrue: 1,
  });
});

test("who is blind to the place finds what is false", async () => {
  const { retrieval } = await evaluate(seesAnimals);
  expect(retrieval.balanced.imageForCaption.true).toMatchObject({ n: 100, successes: 4 });
});

test("the preference counts pairs, by hypernym, and an equal score is none", async () => {
  const { prototypePreference } = await evaluate(
    encoder(
      (number) => (number >= 2000 && number < 2004 ? [1, 1] : [1, 0]),
      () => [1, 0],
    ),
  );
  expect(prototypePreference.overall).toMatchObject({ n: 8, successes: 4, value: 0.5 });
  expect(prototypePreference.hypernyms.animal).toMatchObject({ n: 4, successes: 4, high: 1 });
  expect(prototypePreference.hypernyms.vehicle).toMatchObject({ n: 4, successes: 0, low: 0 });
  expect(prototypePreference.ties).toBe(4);
  expect(prototypePreference.styles).toMatchObject({
    noto: { n: 4, successes: 2 },
    twemoji: { n: 4, successes: 2 },
  });
});

test("what has no vector is unscored, and in nobody's way", async () => {
  const refuse = () => {
    throw new NoAnswer("not-applicable", "no");
  };
  const { retrieval, prototypePreference } = await evaluate({
    ...knowing,
    embedImage: async (image) =>
      image.hash === hashOf(png(0)) ? refuse() : knowing.embedImage(image),
    embedText: async (text) => (text.endsWith("e.") ? refuse() : knowing.embedText(text)),
  });
  const share = { n: 99, successes: 99, unscored: 1 };
  expect(retrieval.balanced.imageForCaption.right).toMatchObject(share);
  expect(retrieval.balanced.captionForImage.true).toMatchObject(share);
  expect(prototypePreference.hypernyms.vehicle).toMatchObject({ n: 0, unscored: 4, value: null });
});

test("a vector of zeros is no vector", async () => {
  const { prototypePreference } = await evaluate({
    ...knowing,
    embedText: async () => new Float32Array(101),
  });
  expect(prototypePreference.overall).toMatchObject({ n: 0, unscored: 8 });
});

test("fewer than a hundred are sought among none", async () => {
  const { retrieval } = await evaluate(knowing, pictures.slice(0, 99));
  expect(retrieval.skewed.imageForCaption).toMatchObject({
    right: { n: 0, value: null },
    rightAmongTrue: null,
  });
});
