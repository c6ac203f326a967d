import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { arithmeticTransformers } from "../../../test/support/arithmetic-transformers.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { transformersInstalled } from "../../../test/support/transformers-installed.js";
import { localModel } from "../../cli/models/model-choice.js";
import { openPicture } from "../../images/picture.js";
import { clipScore } from "../../metrics/clip-score.js";
import { pickScore } from "../../metrics/pick-score.js";
import { scorePicture } from "../../metrics/score-picture.js";
import { transformersJs, transformersJsSiglip } from "./dual-encoder.js";

const library = arithmeticTransformers();

test("its vectors are the poolers', its name says what it is", async () => {
  const model = transformersJsSiglip("owner/siglip", { library, revision: "abc" });
  // The letters of "ab" in 255ths.
  expect(await model.embedText("ab")).toEqual(Float32Array.of(97 / 255, 98 / 255, 0, 0));
  expect(model.identity).toEqual({
    provider: "transformers-js",
    model: "siglip:owner/siglip",
    revision: "abc",
  });
  expect("logitScale" in model).toBe(false);
});

test("its scale is known where it is told", () => {
  expect(transformersJsSiglip("owner/siglip", { library, logitScale: 117 }).logitScale).toBe(117);
});

test("a library without SigLIP", async () => {
  const { SiglipTextModel: _, ...older } = library;
  await expect(transformersJsSiglip("owner/siglip", { library: older }).load()).rejects.toThrow(
    "lacks SiglipTextModel",
  );
});

/** Stands for the optional peer; notes what it was asked. */
function fakeLibrary(answer: unknown = Float32Array.of(3, 4)) {
  const loads: { kind: string; model: string; options: object }[] = [];
  const runs: unknown[] = [];
  const loader = <Loaded>(kind: string, loaded: Loaded) => {
    const load = async (model: string, options: object) => {
      loads.push({ kind, model, options });
      return loaded;
    };
    return Object.assign(() => undefined, { from_pretrained: load });
  };
  const library = {
    AutoTokenizer: loader("tokenizer", (texts: string[], options: object) => ({ texts, options })),
    AutoProcessor: loader("processor", async (image: unknown) => ({ pixel_values: image })),
    CLIPTextModelWithProjection: loader("text", async (inputs: unknown) => {
      runs.push(inputs);
      return { text_embeds: { data: answer } };
    }),
    CLIPVisionModelWithProjection: loader("vision", async (inputs: unknown) => {
      runs.push(inputs);
      return { image_embeds: { data: answer } };
    }),
    RawImage: class {
      readonly parts: unknown[];
      constructor(...parts: unknown[]) {
        this.parts = parts;
      }
    },
  };
  return { library, loads, runs };
}

const picture = async () =>
  openPicture(
    await sharp({ create: { width: 2, height: 1, channels: 3, background: "#010203" } })
      .png()
      .toBuffer(),
  );

test("an image goes as upright RGB pixels through the model's own processor", async () => {
  const { library, runs } = fakeLibrary();
  const embedding = await transformersJs("owner/clip", { library }).embedImage(await picture());
  expect(embedding).toEqual(Float32Array.of(3, 4));
  const [data, ...size] = (runs[0] as { pixel_values: { parts: [Uint8Array] } }).pixel_values.parts;
  expect([...data]).toEqual([1, 2, 3, 1, 2, 3]);
  expect(size).toEqual([2, 1, 3]);
});

test("a text is padded to the model's length", async () => {
  const { library, runs } = fakeLibrary();
  await transformersJs("owner/clip", { library }).embedText("a cat");
  expect(runs).toEqual([
    { texts: ["a cat"], options: { padding: "max_length", truncation: true } },
  ]);
});

test("what of a text and an image it does not reach stands in a score's details", async () => {
  const ids = (texts: string[], { truncation }: { truncation: boolean }) => {
    const words = texts[0]?.split(" ").length ?? 0;
    return { input_ids: { dims: [1, truncation ? 4 : words] } };
  };
  const loader = <Loaded>(loaded: Loaded) =>
    Object.assign(() => undefined, { from_pretrained: async () => loaded });
  const image_processor = {
    do_center_crop: true,
    crop_size: { width: 224, height: 224 },
    size: { shortest_edge: 224 },
  };
  const cutting = {
    ...fakeLibrary().library,
    AutoTokenizer: loader(ids),
    AutoProcessor: loader(
      Object.assign(async (image: unknown) => ({ pixel_values: image }), { image_processor }),
    ),
  };
  const metric = clipScore({
    model: transformersJs("owner/clip", { library: cutting }),
    template: "{text}",
  });
  const details = async (text: string) => {
    const scored = await scorePicture(metric, await picture(), text);
    return scored.status === "scored" ? scored.details : scored.detail;
  };
  // The image is twice as wide as high.
  expect(await details("a red cat on a mat")).toEqual({ cutAt: 4, tokens: 6, unseen: 0.5 });
  expect(await details("a cat")).toEqual({ unseen: 0.5 });
});

test("an encoder says its logit scale where it was given", async () => {
  const { library } = fakeLibrary();
  const scaled = transformersJs("owner/clip", { library, logitScale: 98.5 });
  expect(pickScore({ model: scaled })).toMatchObject({
    statistic: "98.5 cosine",
    range: [-98.5, 98.5],
  });
  const assumed = pickScore({ model: transformersJs("owner/clip", { library }) });
  expect(assumed.statistic).toBe("100 cosine (scale assumed)");
});

test("a logit scale in the configuration is of an encoder alone", async () => {
  const model = await localModel("owner/clip", { logitScale: 98.5 });
  expect(model).toHaveProperty("logitScale", 98.5);
  await expect(localModel("vlm:owner/chat", { logitScale: 98.5 })).rejects.toThrow(/logitScale/);
});

test("it is loaded once, in 32 bits, from where the options say", async () => {
  const { library, loads } = fakeLibrary();
  const model = transformersJs("owner/clip", { library, revision: "abc", cacheDirectory: "/keep" });
  expect(loads).toEqual([]);
  await Promise.all([model.embedText("a"), model.embedText("b"), model.load()]);
  const from = { revision: "abc", cache_dir: "/keep", local_files_only: false };
  expect(loads).toEqual([
    { kind: "tokenizer", model: "owner/clip", options: from },
    { kind: "processor", model: "owner/clip", options: from },
    { kind: "text", model: "owner/clip", options: { ...from, dtype: "fp32" } },
    { kind: "vision", model: "owner/clip", options: { ...from, dtype: "fp32" } },
  ]);
  expect(model.identity).toEqual({
    provider: "transformers-js",
    model: "owner/clip",
    revision: "abc",
  });
});

test("a folder is never looked up elsewhere", async () => {
  const root = await temporaryDirectory();
  await mkdir(join(root, "owner/clip"), { recursive: true });
  await writeFile(join(root, "owner/clip/config.json"), "{}");
  const { library, loads } = fakeLibrary();
  await transformersJs("owner/clip", { library, localDirectory: root }).load();
  await transformersJs(join(root, "owner/clip"), { library }).load();
  await transformersJs("owner/clip", { library, offline: true }).load();
  expect(loads.map(({ model }) => model)).toEqual([
    ...Array(8).fill(join(root, "owner/clip")),
    ...Array(4).fill("owner/clip"),
  ]);
  for (const { options } of loads) expect(options).toMatchObject({ local_files_only: true });
});

describe("what goes wrong is said", () => {
  test.skipIf(transformersInstalled())("the peer is not installed", async () => {
    await expect(transformersJs("owner/clip").load()).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("@huggingface/transformers"),
      hint: expect.stringContaining("npm install @huggingface/transformers@4"),
    });
  });

  test("the folder is not there", async () => {
    const { library } = fakeLibrary();
    await expect(transformersJs("./no-such-clip", { library }).load()).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("no-such-clip"),
      hint: expect.stringContaining("config.json"),
    });
  });

  test("a module that is another library", async () => {
    await expect(transformersJs("owner/clip", { library: {} }).load()).rejects.toMatchObject({
      code: "peer",
      message: expect.stringContaining("lacks AutoTokenizer"),
    });
  });

  test("loading is tried again after it failed", async () => {
    const { library } = fakeLibrary();
    const { from_pretrained } = library.AutoProcessor;
    library.AutoProcessor.from_pretrained = async () => {
      throw new Error("network down");
    };
    const model = transformersJs("owner/clip", { library });
    await expect(model.load()).rejects.toThrow("owner/clip: network down");
    library.AutoProcessor.from_pretrained = from_pretrained;
    await model.load();
  });

  test("no embedding", async () => {
    const { library } = fakeLibrary([1, 2]);
    const model = transformersJs("owner/clip", { library });
    await expect(model.embedText("a")).rejects.toMatchObject({ reason: "unparsable" });
    await expect(model.embedImage(await picture())).rejects.toMatchObject({ reason: "unparsable" });
  });
});

test("an interrupted call is not made", async () => {
  const { library, runs } = fakeLibrary();
  const model = transformersJs("owner/clip", { library });
  const options = { signal: AbortSignal.abort() };
  await expect(model.embedText("a", options)).rejects.toMatchObject({ name: "AbortError" });
  await expect(model.embedImage(await picture(), options)).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(runs).toEqual([]);
});
