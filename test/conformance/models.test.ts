import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { labModel } from "../../packages/lab/src/models/lab-model.js";
import { labPictureSize, sign } from "../../packages/lab/src/signature.js";
import type {
  ChatModel,
  ChatPart,
  ChatRequest,
  ImageEmbedder,
  Localizer,
  Picture,
  TextEmbedder,
  VisualQuestionAnswering,
} from "../../src/core/models.js";
import { openPicture } from "../../src/images/picture.js";
import { cachedChat } from "../../src/models/cache/cached-chat.js";
import { ReplyStore } from "../../src/models/cache/reply-store.js";
import { answersQuestions } from "../../src/models/chat/answers-questions.js";
import { openAiCompatible } from "../../src/models/openai-compatible/openai-compatible.js";
import { openAiEmbeddings } from "../../src/models/openai-embeddings/openai-embeddings.js";
import { pythonBridge } from "../../src/models/python-bridge/python-bridge.js";
import {
  transformersJs,
  transformersJsSiglip,
} from "../../src/models/transformers-js/dual-encoder.js";
import { transformersJsLocalizer } from "../../src/models/transformers-js/localizer.js";
import { transformersJsChat } from "../../src/models/transformers-js/vision-chat.js";
import { answeringFetch, embeddingFetch } from "../support/answering-fetch.js";
import { arithmeticTransformers } from "../support/arithmetic-transformers.js";

const library = arithmeticTransformers();
const bridge = new URL("../support/fake-bridge.mjs", import.meta.url);
const bridged = () =>
  pythonBridge("stub", {
    command: { program: process.execPath, arguments: [fileURLToPath(bridge), "-"] },
  });

/** What every adapter of a contract promises, whatever is behind it. A new adapter is one line. */
const embedders: readonly [name: string, make: () => ImageEmbedder & TextEmbedder][] = [
  ["lab:dual-encoder-skewed", () => labModel("dual-encoder-skewed")],
  ["lab:dual-encoder-balanced", () => labModel("dual-encoder-balanced")],
  ["lab:dual-encoder-skewed-early", () => labModel("dual-encoder-skewed-early")],
  ["lab:dual-encoder-bag-of-words", () => labModel("dual-encoder-bag-of-words")],
  ["transformers-js", () => transformersJs("owner/clip", { library: arithmeticTransformers() })],
  ["transformers-js, SigLIP", () => transformersJsSiglip("owner/siglip", { library })],
  ["python-bridge", bridged],
  ["openai-embeddings", () => openAiEmbeddings("tiny", { fetch: embeddingFetch })],
];
const hosted = () => openAiCompatible("tiny", { fetch: answeringFetch });
const hostedModels: readonly [name: string, make: () => ChatModel][] = [
  ["openai-compatible", hosted],
  // Nothing can be written there, so it is asked each time: what a cache promises stays the same.
  ["openai-compatible, kept", () => cachedChat(hosted(), new ReplyStore("/dev/null/none"))],
  ["openai-compatible, asked questions", () => answersQuestions(hosted())],
];
const say = (text: string): ChatPart => ({ type: "text", text });
const show = (image: Picture): ChatPart => ({ type: "image", image });
const anyQuestion = say("Is there a dog? Answer with yes or no.");
/** What each may be asked about two pictures: some are made for one task alone. */
const chatModels: readonly (readonly [
  name: string,
  make: () => ChatModel,
  ask: (first: Picture, second: Picture) => readonly ChatPart[],
])[] = [
  ...hostedModels.map(
    ([name, make]) => [name, make, (image: Picture) => [show(image), anyQuestion]] as const,
  ),
  [
    "lab:rater",
    () => labModel("rater"),
    (image) => [show(image), say('"A dog is in a meadow." Rate it from 1 to 4, as {"rating": N}.')],
  ],
  [
    "lab:judge",
    () => labModel("judge"),
    (first, second) => [
      ...[say('Which fits "A dog is in a meadow." better?'), say("A)"), show(first)],
      ...[say("B)"), show(second)],
    ],
  ],
];
const answerers: readonly [name: string, make: () => VisualQuestionAnswering][] = [
  ["lab:vqa", () => labModel("vqa")],
  ["lab:vqa-small", () => labModel("vqa-small")],
  ["lab:filter-vqa", () => labModel("filter-vqa")],
  ["lab:vqa-people", () => labModel("vqa-people")],
  ["lab:filter-people", () => labModel("filter-people")],
  ["openai-compatible", () => answersQuestions(hosted())],
  [
    "openai-compatible, verbalized",
    () => answersQuestions(hosted(), { way: { kind: "verbalized" } }),
  ],
  ["transformers-js", () => answersQuestions(transformersJsChat("owner/vlm", { library }))],
  ["python-bridge", bridged],
];
const localizers: readonly [name: string, make: () => Localizer][] = [
  ["lab:localizer", () => labModel("localizer")],
  ["lab:localizer-small", () => labModel("localizer-small")],
  ["transformers-js, boxes", () => transformersJsLocalizer("owner/dino", { library })],
  [
    "transformers-js, SAM",
    () => transformersJsLocalizer("owner/dino", { library, segmenter: "owner/sam" }),
  ],
  [
    "transformers-js, SAM 2",
    () =>
      transformersJsLocalizer("owner/dino", {
        library: arithmeticTransformers({ sam: "sam2" }),
        segmenter: "owner/sam2",
      }),
  ],
];

const aborted = { signal: AbortSignal.abort() };
const abortError = expect.objectContaining({ name: "AbortError" });
let pictures: readonly Picture[];

/** Signed as the lab's, so that its models look at it. */
async function stripes(width: number): Promise<Picture> {
  const side = labPictureSize;
  const data = Uint8Array.from({ length: side * side * 3 }, (_, index) =>
    Math.floor(index / 3 / width) % 2 === 0 ? (index % 3) * 90 : 240,
  );
  sign({ width: side, height: side, data });
  const raw = { width: side, height: side, channels: 3 } as const;
  return openPicture(await sharp(data, { raw }).png().toBuffer());
}

beforeAll(async () => {
  pictures = await Promise.all([stripes(5), stripes(48), stripes(1000)]);
});

describe.each(embedders)("%s embeds", (_, make) => {
  const texts = ["A dog.", "A cat is in the snow with exactly two rocks.", "an animal"];

  test("images and texts into one space, as finite numbers, each elsewhere", async () => {
    const model = make();
    const vectors = [
      ...(await Promise.all(pictures.map((picture) => model.embedImage(picture)))),
      ...(await Promise.all(texts.map((text) => model.embedText(text)))),
    ];
    expect(new Set(vectors.map(({ length }) => length)).size).toBe(1);
    for (const vector of vectors) {
      expect(vector.every(Number.isFinite)).toBe(true);
      expect(vector.some((number) => number !== 0)).toBe(true);
    }
    expect(new Set(vectors.map(String)).size).toBe(vectors.length);
  });

  test("the same however often, in whatever order, by whichever instance", async () => {
    const model = make();
    const [first, second] = pictures as [Picture, Picture];
    const before = await model.embedImage(first);
    await model.embedImage(second);
    expect(await model.embedImage(first)).toEqual(before);
    expect(await make().embedImage(first)).toEqual(before);
    const [a, b] = await Promise.all([model.embedText("A dog."), model.embedText("A cat.")]);
    expect(await make().embedText("A cat.")).toEqual(b);
    expect(await model.embedText("A dog.")).toEqual(a);
  });

  test("under an identity that says which model it was, and stops when told to", async () => {
    const model = make();
    expect(JSON.parse(JSON.stringify(model.identity))).toEqual(make().identity);
    await expect(model.embedText("A dog.", aborted)).rejects.toThrow(abortError);
    const [picture] = pictures as [Picture];
    await expect(model.embedImage(picture, aborted)).rejects.toThrow(abortError);
  });
});

describe.each(answerers)("%s answers", (_, make) => {
  const questions = ["Is there a dog?", "Is there a cat?", "Are there exactly two rocks?"];

  test("each question with a probability, in their order, whatever else is asked", async () => {
    const model = make();
    const other = make();
    for (const picture of pictures.slice(0, 2)) {
      const together = await model.probabilityOfYes(picture, questions);
      expect(together).toHaveLength(questions.length);
      for (const probability of together) {
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }
      for (const [index, question] of questions.entries()) {
        expect(await other.probabilityOfYes(picture, [question])).toEqual([together[index]]);
      }
      const reversed = await model.probabilityOfYes(picture, [...questions].reverse());
      expect(reversed.reverse()).toEqual(together);
    }
  });

  test("nothing with nothing, under an identity, and stops when told to", async () => {
    const model = make();
    const [picture] = pictures as [Picture];
    expect(await model.probabilityOfYes(picture, [])).toEqual([]);
    expect(JSON.parse(JSON.stringify(model.identity))).toEqual(make().identity);
    await expect(model.probabilityOfYes(picture, questions, aborted)).rejects.toThrow(abortError);
  });
});

describe.each(localizers)("%s finds", (_, make) => {
  const names = ["red", "a blue t-shirt", "t-shirt"];

  test("masks of the image's size, of inside and outside, the same in whatever order", async () => {
    const model = make();
    const found: unknown[] = [];
    for (const picture of pictures) {
      for (const name of names) {
        const mask = await model.localize(picture, name);
        found.push(mask);
        if (mask === undefined) continue;
        expect(mask).toMatchObject({ width: picture.width, height: picture.height });
        expect(mask.data).toHaveLength(picture.width * picture.height);
        expect(mask.data.every((inside) => inside === 0 || inside === 1)).toBe(true);
        expect(mask.data.includes(1)).toBe(true);
      }
    }
    expect(found.some((mask) => mask !== undefined)).toBe(true);
    const [picture] = pictures as [Picture];
    const again = [...names].reverse().map((name) => make().localize(picture, name));
    expect((await Promise.all(again)).reverse()).toEqual(found.slice(0, names.length));
  });

  test("under an identity, and stops when told to", async () => {
    const model = make();
    expect(JSON.parse(JSON.stringify(model.identity))).toEqual(make().identity);
    const [picture] = pictures as [Picture];
    await expect(model.localize(picture, "red", aborted)).rejects.toThrow(abortError);
  });
});

const requestOf = (...parts: readonly ChatPart[]): ChatRequest => ({
  messages: [{ role: "user", parts }],
  temperature: 0,
  seed: 0,
});

describe.each(chatModels)("%s chats", (_, make, ask) => {
  const asked = () => {
    const [first, second] = pictures as [Picture, Picture];
    return requestOf(...ask(first, second));
  };

  test("about images: a text, how it ended, and tokens where they are asked for", async () => {
    const model = make();
    const plain = await model.chat(asked());
    expect(plain.text).not.toBe("");
    expect(["stop", "length", "other"]).toContain(plain.finish);
    expect(plain.tokens).toBeUndefined();
    const { tokens = [] } = await model.chat({ ...asked(), topLogProbabilities: 5 });
    expect(tokens.length).toBeGreaterThan(0);
    for (const { token, logProbability, alternatives } of tokens) {
      expect(alternatives).toContainEqual({ token, logProbability });
      const mass = alternatives.reduce((sum, other) => sum + Math.exp(other.logProbability), 0);
      expect(mass).toBeLessThanOrEqual(1 + 1e-6);
      for (const other of alternatives) expect(other.logProbability).toBeLessThanOrEqual(0);
    }
  });

  test("the same at temperature 0, under an identity, and stops when told to", async () => {
    const model = make();
    expect(await make().chat(asked())).toEqual(await model.chat(asked()));
    expect(JSON.parse(JSON.stringify(model.identity))).toEqual(make().identity);
    await expect(model.chat(asked(), aborted)).rejects.toThrow(abortError);
  });
});

describe.each(hostedModels)("%s, asked over a network,", (_, make) => {
  test("answers without an image, and what it used is in the trace", async () => {
    const trace: object[] = [];
    const reply = await make().chat(requestOf(anyQuestion), {
      trace: (entry) => trace.push(entry),
    });
    expect(reply.text).not.toBe("");
    expect(trace).toContainEqual(expect.objectContaining({ kind: "model-call", cached: false }));
    expect(() => JSON.stringify(trace)).not.toThrow();
  });

  test("says where it is", () => {
    expect(make().identity.baseUrl).toMatch(/^https?:/);
  });
});
