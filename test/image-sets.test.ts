import { copyFile, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { chooseGenerator } from "../src/cli/models/generator-choice.js";
import { hostingFor } from "../src/cli/models/hosting.js";
import { openLabels } from "../src/cli/verbs/calibrate/judged-table.js";
import { unpackedFolder } from "../src/files/image-sets/unpacked-folder.js";
import { ImageIndex } from "../src/models/folder/folder-generator.js";
import { readItems } from "../src/studies/items/read-items.js";
import { protocolOf } from "../src/studies/protocols/protocols.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { tarBytes } from "./support/tar-bytes.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

// Written by `datasets`, `webdataset` and `pyarrow` themselves.
const fixture = (name: string) =>
  fileURLToPath(new URL(`fixtures/image-sets/${name}`, import.meta.url));
let folder = "";
const at = (name: string) => join(folder, name);
const jsonl = async (path: string) =>
  (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeEach(async () => {
  folder = await temporaryDirectory();
  await copyFile(fixture("datasets.parquet"), at("data.parquet"));
  await copyFile(fixture("webdataset.tar"), at("shard.tar"));
  await copyFile(fixture("pairs.parquet"), at("pairs.parquet"));
});

/** The same two images as a folder with splits. */
async function splits(): Promise<string> {
  const unpacked = (await unpackedFolder("shard.tar", { workingDirectory: folder })) ?? "";
  for (const [split, name] of [
    ["test", "0004.png"],
    ["train", "0003.png"],
  ] as const) {
    await mkdir(at(`set/${split}`), { recursive: true });
    await copyFile(join(unpacked, "s", name), at(`set/${split}/${name}`));
    const row = { file_name: name, text: `a square of ${split}`, rating: 4 };
    await writeFile(at(`set/${split}/metadata.jsonl`), `${JSON.stringify(row)}\n`);
  }
  return "set";
}

describe("unpacked", () => {
  const unpack = (source: string, told: string[] = []) =>
    unpackedFolder(source, { workingDirectory: folder, tell: (text) => told.push(text) });

  test("images lie beside the file, with all that is known of them, and are used again", async () => {
    const told: string[] = [];
    const made = await unpack("shard.tar", told);
    expect(made).toBe(at("shard.images"));
    expect(await jsonl(at("shard.images/metadata.jsonl"))).toEqual(
      [3, 4].map((n) => ({
        file_name: `s/000${n}.png`,
        image: `s/000${n}.png`,
        __key__: `s/000${n}`,
        caption: `a square ${n}`,
        text: `a square ${n}`,
        aesthetic: n - 3,
      })),
    );
    expect(told).toEqual([`Unpacked 2 images of shard.tar into shard.images`]);
    await writeFile(at("shard.images/mine.txt"), "a note");
    expect(await unpack("shard.tar", told)).toBe(made);
    expect(await readdir(at("shard.images"))).toContain("mine.txt");
    await utimes(at("shard.tar"), 1, 1);
    await unpack("shard.tar", told);
    expect(await readdir(at("shard.images"))).not.toContain("mine.txt");
    expect(told).toHaveLength(2);
  });

  test("nobody's folder is overwritten, and nothing is left of what is damaged", async () => {
    await mkdir(at("shard.images"));
    await writeFile(at("shard.images/own.txt"), "mine");
    await expect(unpack("shard.tar")).rejects.toThrow("Expected a new or empty folder");
    const whole = await readFile(at("shard.tar"));
    await writeFile(at("cut.tar"), whole.subarray(0, 2000));
    await expect(unpack("cut.tar")).rejects.toThrow("is cut short");
    await writeFile(at("out.tar"), tarBytes([{ name: "../a.png", content: "x" }]));
    await expect(unpack("out.tar")).rejects.toThrow("a path out of it");
    await writeFile(at("bare.tar"), tarBytes([{ name: "a.txt", content: "no image" }]));
    await expect(unpack("bare.tar")).rejects.toThrow("Expected an image but received none");
    const left = (await readdir(folder)).filter((name) => name.includes("images"));
    expect(left).toEqual(["shard.images"]);
  });

  test("a pattern is one folder, in which equal names are told apart", async () => {
    await copyFile(at("shard.tar"), at("shard-2.tar"));
    await unpack("shard*.tar");
    expect((await readdir(at("shard_.images/s"))).sort()).toEqual([
      "0003-2.png",
      "0003.png",
      "0004-2.png",
      "0004.png",
    ]);
  });
});

test.each(["shard.tar", "data.parquet", "set"])("degrade and localize read %s", async (source) => {
  if (source === "set") await splits();
  const images = source === "data.parquet" ? 5 : 2;
  const words = ["label", "degrade", source, "--kinds", "noise", "--out", "worse", "--json"];
  const degraded = await touchstoneHere(words, { workingDirectory: folder });
  expect(JSON.parse(degraded.stdout)).toMatchObject({ images, copies: images });
  const pairs = await jsonl(at("worse/pairs.jsonl"));
  for (const { image_a, image_b } of pairs)
    await stat(at(`worse/${image_a}`)).then(() => stat(at(`worse/${image_b}`)));

  const table = source === "set" ? ["set/test/0004.png", "set/train/0003.png"] : undefined;
  const names =
    table ??
    (await jsonl(at(`${source.split(".")[0]}.images/metadata.jsonl`))).map(
      ({ file_name }) => `${source.split(".")[0]}.images/${file_name}`,
    );
  const masks = names.map((image: string) => ({
    image,
    entity: "square",
    mask: { bbox: [0, 0, 2, 2] },
  }));
  await writeFile(
    at("masks.jsonl"),
    masks.map((row: object) => `${JSON.stringify(row)}\n`).join(""),
  );
  const localized = await touchstoneHere(
    [
      "metrics",
      "localize",
      source,
      "--model",
      "masks:masks.jsonl",
      "--entity",
      "square",
      "--out",
      "seen",
    ],
    { workingDirectory: folder },
  );
  expect(localized.code).toBe(0);
  const found = await jsonl(at("seen/masks.jsonl"));
  expect(found).toHaveLength(images);
  // What is named stays there.
  for (const { image } of found) await stat(join(at("seen"), image));
});

test("a judge's labels: pairs of two columns of images, and ratings beside one", async () => {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const how = { task: undefined, isReviewed: false };
  const pairs = await openLabels({ file: "pairs.parquet", map: [], environment }, how);
  const items = await pairs.read(undefined);
  expect(pairs.task).toBe("pair");
  expect(items.map(({ id, text, label }) => [id, text, label])).toEqual([
    ["1", "a square", 1],
    ["2", "a square", 0],
  ]);
  for (const { images } of items) {
    expect(new Set(images.map(({ path }) => dirname(path)))).toEqual(new Set([at("pairs.images")]));
    for (const { path } of images)
      expect((await readFile(path)).subarray(1, 4).toString()).toBe("PNG");
  }
  await splits();
  const rated = await openLabels({ file: "set/train", map: [], environment }, how);
  const [item] = await rated.read(5);
  expect(item).toMatchObject({
    text: "a square of train",
    label: 4,
    images: [{ name: "0003.png" }],
  });
  const map = ["rating=score_human", "text=caption"];
  const column = await openLabels({ file: "data.parquet", map, environment }, how);
  expect(await column.read(9)).toHaveLength(5);
});

test("a folder of splits, or of files with images, is told apart from one of images", async () => {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const how = { task: undefined, isReviewed: false };
  const opened = (file: string) => openLabels({ file, map: [], environment }, how);
  await splits();
  await expect(opened("set")).rejects.toMatchObject({
    message: `Expected one folder of images but ${at("set")} has the splits test and train`,
    hint: `Name one of them: ${at("set/train")}`,
  });
  await mkdir(at("repo/data"), { recursive: true });
  for (const name of ["test-00000-of-00001", "train-00000-of-00002", "train-00001-of-00002"])
    await copyFile(fixture("datasets.parquet"), at(`repo/data/${name}.parquet`));
  const refused = {
    message: `Expected files of images in ${at("repo")} but found files that hold images: data/test*.parquet and data/train*.parquet`,
    hint: `Name them: '${at("repo/data/train*.parquet")}'`,
  };
  await expect(opened("repo")).rejects.toMatchObject(refused);
  await expect(ImageIndex.open(at("repo"))).rejects.toMatchObject(refused);
  await mkdir(at("saved/train"), { recursive: true });
  for (const name of ["data-00000-of-00001.arrow", "dataset_info.json"])
    await writeFile(at(`saved/train/${name}`), "");
  await expect(opened("saved")).rejects.toMatchObject({
    hint: expect.stringContaining("to_parquet"),
  });
  const map = ["rating=score_human", "text=caption"];
  const file = "repo/data/train*.parquet";
  expect(await (await openLabels({ file, map, environment }, how)).read(9)).toHaveLength(10);
});

test.each(["shard.tar", "data.parquet", "set"])("a study asks about %s", async (from) => {
  if (from === "set") await splits();
  const settings = { protocol: "rating", from } as Parameters<typeof readItems>[1]["settings"];
  const read = await readItems(from, { folder, protocol: protocolOf("rating"), settings });
  expect(read.items).toHaveLength(from === "data.parquet" ? 5 : 2);
  for (const { images } of read.items) {
    for (const image of images) await stat(join(read.folder, image)).catch(() => stat(image));
  }
});

test("images made elsewhere, as a generator that an audit or a benchmark is given", async () => {
  const unpacked = (await unpackedFolder("shard.tar", { workingDirectory: folder })) ?? "";
  const index = await ImageIndex.open(unpacked);
  expect(index.fileOf({ text: "a square 3" })).toBe("s/0003.png");
  const hosting = hostingFor({ variables: {}, workingDirectory: folder });
  const chosen = await chooseGenerator("folder:shard.tar", { hosting });
  expect(chosen.index?.images).toEqual(["s/0003.png", "s/0004.png"]);
  await splits();
  const ofSplits = await chooseGenerator("folder:set", { hosting });
  expect(ofSplits.index?.fileOf({ text: "a square of train" })).toBe("train/0003.png");
  expect(ofSplits.index?.fileOf({ text: "a square of test" })).toBe("test/0004.png");
  expect(ofSplits.index?.absent).toEqual([]);
  const one = await chooseGenerator("folder:set/test", { hosting });
  expect(one.index?.fileOf({ text: "a square of train" })).toBeUndefined();
});
