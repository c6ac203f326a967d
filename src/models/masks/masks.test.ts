import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Picture } from "../../core/models.js";
import { openPictureFile } from "../../images/picture-file.js";
import { givenMasks } from "./masks.js";

let directory = "";
let image: Picture;
let other: Picture;

/** 4 x 2 pixels, white where a character is 1. */
const maskFile = async (name: string, rows: string) =>
  sharp(
    Uint8Array.from(rows, (one) => (one === "1" ? 255 : 0)),
    {
      raw: { width: 4, height: rows.length / 4, channels: 1 },
    },
  )
    .png()
    .toFile(join(directory, name));

const opened = (name: string) => openPictureFile(join(directory, name));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-"));
  for (const folder of ["images", "masks", "files"]) await mkdir(join(directory, folder));
  for (const [name, background] of Object.entries({ look: "red", "look-2": "blue" })) {
    await sharp({ create: { width: 4, height: 2, channels: 3, background } })
      .png()
      .toFile(join(directory, "images", `${name}.png`));
  }
  await maskFile("masks/skirt.png", "11000000");
  await maskFile("masks/small.png", "1100");
  await maskFile("files/look-skirt.png", "00110000");
  await maskFile("files/look-2_red_hat.png", "00000011");
  image = await opened("images/look.png");
  other = await opened("images/look-2.png");
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const inside = async (
  model: Awaited<ReturnType<typeof givenMasks>>,
  of: Picture,
  entity: string,
) => {
  const mask = await model.localize(of, entity);
  return mask === undefined ? undefined : [...mask.data].join("");
};

test("a table of masks in files, run lengths, boxes, and none", async () => {
  const look = "../images/look.png";
  const rows = [
    { image: look, entity: "skirt", mask: "skirt.png" },
    { image: look, entity: "Red Hat", mask: { size: [2, 4], counts: [2, 2, 4] } },
    { image: look, masks: { shoes: { bbox: [3, 1, 1, 1] }, scarf: null, small: "small.png" } },
  ];
  await writeFile(
    join(directory, "masks/masks.jsonl"),
    rows.map((row) => JSON.stringify(row)).join("\n"),
  );
  const model = await givenMasks(join(directory, "masks"));
  expect(await inside(model, image, "skirt")).toBe("11000000");
  expect(await inside(model, image, "red hat")).toBe("01000100");
  expect(await inside(model, image, "shoes")).toBe("00000001");
  expect(await inside(model, image, "scarf")).toBeUndefined();
  await expect(model.localize(image, "boots")).rejects.toMatchObject({
    reason: "not-applicable",
    message: expect.stringContaining("there are skirt, Red Hat, shoes, scarf, small"),
  });
  await expect(model.localize(image, "small")).rejects.toMatchObject({
    reason: "bad-input",
    message: expect.stringMatching(/4 x 2 .*small\.png, 4 x 1/),
  });
  await expect(model.localize(other, "skirt")).rejects.toMatchObject({ reason: "not-applicable" });
  expect(model.identity).toMatchObject({ provider: "masks", model: "masks" });
  const table = await givenMasks(join(directory, "masks/masks.jsonl"));
  expect(table.identity.revision).toBe(model.identity.revision);
});

test("as a detector it gives the boxes, and one around each mask", async () => {
  const path = join(directory, "boxes.jsonl");
  const bbox = (...corners: number[]) => ({ bbox: corners });
  const masks = {
    shoes: [bbox(0, 1, 1, 1), bbox(2, 1, 1.5, 1), bbox(9, 9, 1, 1)],
    hat: { size: [2, 4], counts: [2, 4, 2] },
    skirt: "masks/skirt.png",
    scarf: null,
    belt: { size: [2, 4], counts: [9] },
  };
  await writeFile(path, JSON.stringify({ image: "images/look.png", masks }));
  const model = await givenMasks(path);
  expect(await model.detect(image, "shoes")).toEqual([
    { x0: 0, y0: 1, x1: 1, y1: 2 },
    { x0: 2, y0: 1, x1: 4, y1: 2 },
  ]);
  expect(await model.detect(image, "hat")).toEqual([{ x0: 1, y0: 0, x1: 3, y1: 2 }]);
  expect(await model.detect(image, "skirt")).toEqual([{ x0: 0, y0: 0, x1: 2, y1: 1 }]);
  expect(await model.detect(image, "scarf")).toEqual([]);
  await expect(model.detect(image, "belt")).rejects.toMatchObject({ reason: "bad-input" });
  await expect(model.detect(other, "hat")).rejects.toMatchObject({ reason: "not-applicable" });
});

test("JSON in a CSV column", async () => {
  const path = join(directory, "masks.csv");
  await writeFile(path, 'image,entity,mask\nimages/look.png,skirt,"{""bbox"":[0,0,1,2]}"\n');
  expect(await inside(await givenMasks(path), image, "skirt")).toBe("10001000");
});

test("a folder of files named after images and entities", async () => {
  const model = await givenMasks(join(directory, "files"));
  expect(await inside(model, image, "skirt")).toBe("00110000");
  expect(await inside(model, other, "red hat")).toBe("00000011");
});

test.each([
  [
    '{"image":"images/look.png","entity":"skirt"}',
    "Expected entity and mask, or masks, but received entity",
  ],
  ['{"image":"images/gone.png","entity":"skirt","mask":null}', "can't be read"],
  [
    '{"image":"images/look.png","entity":"skirt","mask":{"size":[1]}}',
    "run lengths or a bbox of COCO",
  ],
])("a table that is not sound is refused: %s", async (row, problem) => {
  const path = join(directory, "wrong.jsonl");
  await writeFile(path, row);
  const error = await givenMasks(path).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  expect(JSON.stringify(error, ["message", "problems"]) + String(error)).toContain(problem);
});

test("a folder without masks is refused with an example", async () => {
  await expect(givenMasks(join(directory, "images"))).rejects.toThrow(
    /masks\.jsonl, masks\.csv .*IMAGE-ENTITY\.png/,
  );
});
