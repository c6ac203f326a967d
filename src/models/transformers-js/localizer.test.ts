import sharp from "sharp";
import { expect, test } from "vitest";
import { arithmeticTransformers } from "../../../test/support/arithmetic-transformers.js";
import { openPicture } from "../../images/picture.js";
import { transformersJsLocalizer } from "./localizer.js";

const library = arithmeticTransformers();
const picture = async () =>
  openPicture(
    await sharp({ create: { width: 5, height: 3, channels: 3, background: "#808080" } })
      .png()
      .toBuffer(),
  );
const rows = (mask: { width: number; data: Uint8Array } | undefined) =>
  [...(mask?.data ?? [])].join("").match(/.{5}/g);

/** A detector that finds these boxes, and notes what it is asked. */
function detecting(found: unknown, kind = "owlv2") {
  const asked: unknown[] = [];
  const detect = async (_: unknown, ...words: unknown[]) => {
    asked.push(...words);
    return found;
  };
  const model = { config: { model_type: kind } };
  return { asked, library: { ...library, pipeline: async () => Object.assign(detect, { model }) } };
}

test("without SAM its boxes are the mask, and its name says so", async () => {
  const model = transformersJsLocalizer("owner/dino", { library });
  expect(rows(await model.localize(await picture(), "cat"))).toEqual(["11100", "11100", "11100"]);
  expect(model.identity.model).toBe("localizer:owner/dino+boxes");
});

test("SAM's best guess, cut at the box", async () => {
  const model = transformersJsLocalizer("owner/dino", { library, segmenter: "owner/sam" });
  expect(rows(await model.localize(await picture(), "cat"))).toEqual(["11100", "00000", "11100"]);
  expect(model.identity.model).toBe("localizer:owner/dino+owner/sam");
});

test("SAM looks in every box", async () => {
  const boxes = [0, 3].map((xmin) => ({
    score: 1,
    box: { xmin, ymin: 0, xmax: xmin + 2, ymax: 3 },
  }));
  const options = { library: detecting(boxes).library, segmenter: "owner/sam" };
  const mask = await transformersJsLocalizer("owner/dino", options).localize(await picture(), "a");
  expect(rows(mask)).toEqual(["11011", "00000", "11011"]);
});

test("a SAM that takes boxes is given each, and its outline stands as it is", async () => {
  const boxes = [0, 3].map((xmin) => ({
    score: 1,
    box: { xmin, ymin: 0, xmax: xmin + 1, ymax: 2 },
  }));
  const { pipeline } = detecting(boxes).library;
  const double = arithmeticTransformers({ sam: "sam2" });
  const options = { library: { ...double, pipeline }, segmenter: "owner/sam2" };
  const mask = await transformersJsLocalizer("owner/dino", options).localize(await picture(), "a");
  expect(rows(mask)).toEqual(["11011", "11011", "00000"]);
});

test("weights of a later SAM that take points alone are given points", async () => {
  const { SamModel, ...double } = arithmeticTransformers({ sam: "sam2" });
  const options = {
    library: { ...double, SamModel, Sam2Model: SamModel },
    segmenter: "owner/sam2",
  };
  const model = transformersJsLocalizer("owner/dino", options);
  expect(rows(await model.localize(await picture(), "cat"))).toEqual(["11100", "00000", "11100"]);
});

test("boxes of another provider's detector", async () => {
  const image = await picture();
  const detector = {
    identity: { provider: "masks", model: "boxes.jsonl", revision: "abc" },
    detect: async (_: unknown, entity: string) =>
      entity === "cat" ? [{ x0: 1, y0: 1, x1: 2, y1: 3 }] : [],
  };
  const double = arithmeticTransformers({ sam: "sam2" });
  const model = transformersJsLocalizer(detector, { library: double, segmenter: "owner/sam2" });
  expect(rows(await model.localize(image, "cat"))).toEqual(["00000", "01100", "01100"]);
  expect(await model.localize(image, "dog")).toBeUndefined();
  expect(model.identity).toEqual({
    provider: "transformers-js",
    model: "localizer:masks:boxes.jsonl+owner/sam2",
    revision: "abc",
  });
});

test("the whole box where SAM sees nothing in it", async () => {
  const box = { xmin: 1, ymin: 1, xmax: 3, ymax: 2 };
  const options = { library: detecting([{ score: 1, box }]).library, segmenter: "owner/sam" };
  const mask = await transformersJsLocalizer("owner/dino", options).localize(await picture(), "a");
  expect(rows(mask)).toEqual(["00000", "01100", "00000"]);
});

test("several of them are one entity; a box outside the image is none", async () => {
  const boxes = [
    { xmin: 0, ymin: 0, xmax: 1, ymax: 1 },
    { xmin: 4, ymin: 2, xmax: 9, ymax: 9 },
    { xmin: 7, ymin: 0, xmax: 9, ymax: 3 },
  ].map((box) => ({ score: 0.5, label: "cat", box }));
  const double = detecting(boxes);
  const model = transformersJsLocalizer("owner/owl", { ...double, threshold: 0.1 });
  expect(rows(await model.localize(await picture(), "Two cats"))).toEqual([
    ...["10000", "00000", "00001"],
  ]);
  expect(double.asked).toEqual([["Two cats"], { threshold: 0.1 }]);
  expect(model.identity.model).toBe("localizer:owner/owl+boxes, threshold 0.1");
});

test("GroundingDINO is asked as it was trained", async () => {
  const double = detecting([], "grounding-dino");
  const model = transformersJsLocalizer("owner/dino", double);
  expect(await model.localize(await picture(), "A Cat")).toBeUndefined();
  expect(double.asked).toEqual([["a cat."], { threshold: 0.25 }]);
});

test("what is no list of boxes, and no mask, is no answer", async () => {
  const unparsable = { name: "NoAnswer", reason: "unparsable" };
  const none = transformersJsLocalizer("owner/dino", detecting({ boxes: [] }));
  await expect(none.localize(await picture(), "cat")).rejects.toMatchObject(unparsable);
  const broken = Object.assign(async () => ({ pred_masks: { data: [] } }), {
    get_image_embeddings: async () => ({}),
  });
  const SamModel = Object.assign(() => undefined, { from_pretrained: async () => broken });
  const sam = { library: { ...library, SamModel }, segmenter: "owner/sam" };
  const model = transformersJsLocalizer("owner/dino", sam);
  await expect(model.localize(await picture(), "cat")).rejects.toMatchObject(unparsable);
});

test("either model that can't be loaded is named", async () => {
  const options = { library, segmenter: "./no-such-sam" };
  await expect(transformersJsLocalizer("owner/dino", options).load()).rejects.toMatchObject({
    code: "input",
    message: expect.stringMatching(/\bSAM\b.*no-such-sam/),
  });
});
