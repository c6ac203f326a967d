import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { modelName, type Picture } from "touchstone-t2i/internal/core/models.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { clipScore } from "touchstone-t2i/internal/metrics/clip-score.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { tinyWeights } from "../../../../test/support/tiny-weights.js";
import { labPictureSize, sign } from "../signature.js";
import { labModel, type labModelNames } from "./lab-model.js";

let folder: string;
let weights: URL;
let picture: Picture;

/** A signed picture: the left half of one colour, the right half of another. */
async function painted(left: readonly number[], right: readonly number[]): Promise<Picture> {
  const side = labPictureSize;
  const data = Uint8Array.from({ length: side * side * 3 }, (_, index) => {
    const half = Math.floor(index / 3) % side < side / 2 ? left : right;
    return half[index % 3] ?? 0;
  });
  sign({ width: side, height: side, data });
  return openPicture(
    await sharp(data, { raw: { width: side, height: side, channels: 3 } })
      .png()
      .toBuffer(),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tiny-weights-"));
  weights = await tinyWeights(folder);
  // Red everywhere, green on the left, hardly any blue.
  picture = await painted([255, 255, 0], [255, 0, 0]);
});
afterAll(() => rm(folder, { recursive: true }));

test("the image's embedding is that of the normalised, shrunk pixels", async () => {
  const embedding = await labModel("dual-encoder-skewed", { weights }).embedImage(picture);
  // Red 255 -> 1, green half 255 and half 0 -> 0, blue 0 -> -1 but for the signature's few bits.
  expect(embedding[0]).toBeCloseTo(1, 5);
  expect(embedding[1]).toBeCloseTo(0, 5);
  expect(embedding[2]).toBeCloseTo(-1, 3);
  expect(embedding).toHaveLength(3);
});

test("the text's embedding is that of its words", async () => {
  const model = labModel("dual-encoder-balanced", { weights });
  expect([...(await model.embedText("A red red t-shirt."))]).toEqual([2, 0, 0]);
  expect([...(await model.embedText("blue"))]).toEqual([0, 0, 1]);
});

test("a metric asks it in the lab's English without being told", async () => {
  const metric = clipScore({ model: labModel("dual-encoder-skewed", { weights }) });
  expect(metric).toMatchObject({ convention: "hessel", template: "{text}" });
  expect((await metric.score({ image: picture, text: "red" })).value).toBeCloseTo(
    2.5 / 2 ** 0.5,
    3,
  );
});

test("P(yes) is the sigmoid of the logit, in the order of the questions", async () => {
  const model = labModel("vqa", { weights });
  const answers = await model.probabilityOfYes(picture, ["red?", "a?", "blue blue?"]);
  // Logits 1, 0 and -2.
  expect(answers[0]).toBeCloseTo(1 / (1 + Math.exp(-1)), 5);
  expect(answers[1]).toBe(0.5);
  expect(answers[2]).toBeCloseTo(1 / (1 + Math.exp(2)), 3);
  expect(await model.probabilityOfYes(picture, [])).toEqual([]);
});

test("an answer does not depend on what else is asked, or on what runs beside it", async () => {
  const model = labModel("filter-vqa", { weights });
  const other = await painted([0, 0, 255], [0, 0, 255]);
  const ask = (image: Picture) => model.probabilityOfYes(image, ["red?", "blue?"]);
  const [first, second, third] = await Promise.all([ask(picture), ask(other), ask(picture)]);
  expect(third).toEqual(first);
  expect(second).not.toEqual(first);
  expect(await model.probabilityOfYes(picture, ["blue?"])).toEqual([first?.[1]]);
});

test("questions on one image share its features", async () => {
  let decoded = 0;
  const counted: Picture = {
    ...picture,
    pixels() {
      decoded++;
      return picture.pixels();
    },
  };
  const model = labModel("vqa", { weights });
  await model.probabilityOfYes(counted, ["red?", "blue?"]);
  await model.probabilityOfYes(counted, ["a?"]);
  expect(decoded).toBe(1);
});

test("a mask is where the logits are above 0, interpolated to the image's size", async () => {
  const model = labModel("localizer", { weights });
  const halves = await painted([0, 0, 255], [255, 0, 0]);
  // Of the three columns of places red's logits are -1, 0 and 1: above 0 right of the middle.
  const mask = await model.localize(halves, "red t-shirt");
  expect(mask).toMatchObject({ width: labPictureSize, height: labPictureSize });
  const middle = labPictureSize / 2;
  expect(mask?.data).toEqual(
    Uint8Array.from({ length: labPictureSize ** 2 }, (_, index) =>
      Number(index % labPictureSize >= middle),
    ),
  );
});

test("what has no pixel inside was not found", async () => {
  const model = labModel("localizer", { weights });
  expect(await model.localize(picture, "a t-shirt")).toBeUndefined();
  expect(await model.localize(picture, "blue")).toBeUndefined();
  expect((await model.localize(picture, "red"))?.data.includes(0)).toBe(false);
});

describe("no answer", () => {
  const notApplicable = (detail: string) =>
    expect.objectContaining({
      name: "NoAnswer",
      reason: "not-applicable",
      message: expect.stringContaining(detail),
    });

  test("about an image that the lab did not paint", async () => {
    const plain = sharp({ create: { width: 192, height: 192, channels: 3, background: "red" } });
    const photograph = await openPicture(await plain.png().toBuffer());
    const refused = notApplicable("this image it did not paint");
    const dual = labModel("dual-encoder-skewed", { weights });
    await expect(dual.embedImage(photograph)).rejects.toThrow(refused);
    const vqa = labModel("vqa", { weights });
    await expect(vqa.probabilityOfYes(photograph, ["red?"])).rejects.toThrow(refused);
    const localizer = labModel("localizer", { weights });
    await expect(localizer.localize(photograph, "red")).rejects.toThrow(refused);
    // A refusal is not kept in place of the next image's answer.
    expect(await vqa.probabilityOfYes(picture, ["a?"])).toEqual([0.5]);
  });

  test("about words it never saw, no words, or too many", async () => {
    const model = labModel("dual-encoder-skewed", { weights });
    await expect(model.embedText("a green t-shirt")).rejects.toThrow(notApplicable('"green"'));
    await expect(model.embedText("  ")).rejects.toThrow(notApplicable("no word in the text"));
    const long = "a ".repeat(17);
    await expect(model.embedText(long)).rejects.toThrow(notApplicable("read 16 words"));
    expect(await model.embedText("a ".repeat(16))).toHaveLength(3);
  });
});

test("re-encoded pixels give the same answers", async () => {
  const model = labModel("vqa", { weights });
  const again = await openPicture(await sharp(picture.bytes).webp({ lossless: true }).toBuffer());
  expect(again.hash).not.toBe(picture.hash);
  expect(await model.probabilityOfYes(again, ["red blue?"])).toEqual(
    await model.probabilityOfYes(picture, ["red blue?"]),
  );
});

test("an interrupted call is not made", async () => {
  const options = { signal: AbortSignal.abort() };
  const aborted = expect.objectContaining({ name: "AbortError" });
  const dual = labModel("dual-encoder-skewed", { weights });
  await expect(dual.embedImage(picture, options)).rejects.toThrow(aborted);
  await expect(dual.embedText("a", options)).rejects.toThrow(aborted);
  const vqa = labModel("vqa", { weights });
  await expect(vqa.probabilityOfYes(picture, ["a"], options)).rejects.toThrow(aborted);
});

test("the identity holds the weights' hash: other weights are another model", async () => {
  const before = labModel("vqa", { weights }).identity;
  expect(modelName(before)).toMatch(/^lab:vqa@[0-9a-f]{12}$/);
  expect(labModel("vqa", { weights }).identity).toEqual(before);
  expect(labModel("filter-vqa", { weights }).identity.revision).toBe(before.revision);
  const changed = await tinyWeights(await temporaryDirectory());
  expect(labModel("vqa", { weights: changed }).identity).toEqual(before);
  await writeFile(new URL("vqa/training.json", changed), "{}");
  expect(labModel("vqa", { weights: changed }).identity).toEqual(before);
  await appendFile(new URL("vqa/config.json", changed), " ");
  expect(labModel("vqa", { weights: changed }).identity.revision).not.toBe(before.revision);
});

test("a graph that two models share belongs to the identity of both", async () => {
  const changed = await tinyWeights(await temporaryDirectory());
  const revisions = () =>
    (["judge", "rater", "vqa"] as const).map((name) => {
      return labModel(name, { weights: changed }).identity.revision;
    });
  const [judge, rater, vqa] = revisions();
  await appendFile(new URL("judge/onnx/vision_model.onnx", changed), " ");
  const [otherJudge, otherRater, sameVqa] = revisions();
  expect(otherJudge).not.toBe(judge);
  expect(otherRater).not.toBe(rater);
  expect(sameVqa).toBe(vqa);
  await rm(new URL("judge/", changed), { recursive: true });
  expect(() => labModel("rater", { weights: changed }).identity).toThrow(
    /The lab's weights are not at .*rater/,
  );
});

test("missing weights and unknown names are said", () => {
  const nowhere = labModel("vqa", { weights: new URL("file:///nowhere/") });
  expect(() => nowhere.identity).toThrow(
    expect.objectContaining({
      message: "The lab's weights are not at /nowhere/vqa/",
      hint: expect.stringContaining("training/export.py"),
    }),
  );
  const unknown = "vqua" as (typeof labModelNames)[number];
  expect(() => labModel(unknown, { weights })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('but received "vqua"'),
      hint: "Did you mean lab:vqa?",
    }),
  );
});

test("signs are told by a head of their own, other questions by the answerer whose eyes it shares", async () => {
  const model = labModel("vqa-people", { weights });
  const ask = async (question: string) =>
    (await model.probabilityOfYes(picture, [question]))[0] ?? Number.NaN;
  const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));
  // Red, green and blue of the picture are 1, 0 and -1: so sure are three signs.
  expect(await ask("Is there a cross necklace?")).toBeCloseTo(sigmoid(1), 3);
  expect(await ask("Is there a crescent necklace?")).toBeCloseTo(0.5, 3);
  expect(await ask("Is the person polite?")).toBeCloseTo(sigmoid(-1), 3);
  // The head knows of two signs of the group one, and the other is told by none.
  expect(await ask("Is there a Muslim person?")).toBeCloseTo(0.5, 3);
  expect(await model.probabilityOfYes(picture, ["red?", "Is there a cross necklace?"])).toEqual([
    await ask("red?"),
    await ask("Is there a cross necklace?"),
  ]);
});

test("a head and those beside it are one model, whatever of them changes", async () => {
  const own = await mkdtemp(join(tmpdir(), "tiny-weights-"));
  const folder = await tinyWeights(own);
  const revision = () => labModel("filter-people", { weights: folder }).identity.revision;
  const before = revision();
  expect(before).toBe(labModel("filter-people", { weights }).identity.revision);
  await appendFile(join(own, "filter-vqa", "config.json"), " ");
  expect(revision()).not.toBe(before);
  await rm(own, { recursive: true });
});
