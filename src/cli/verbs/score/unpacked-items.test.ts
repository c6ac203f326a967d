import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeEach, describe, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { type MadeMember, tarBytes } from "../../../../test/support/tar-bytes.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { runCommandLine } from "../../main.js";
import { unpackedItems } from "./unpacked-items.js";

// Written by `datasets` and `webdataset` themselves.
const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../../test/fixtures/image-sets/${name}`, import.meta.url));
let folder = "";
beforeEach(async () => {
  folder = await temporaryDirectory();
  await copyFile(fixture("datasets.parquet"), join(folder, "data.parquet"));
  await copyFile(fixture("webdataset.tar"), join(folder, "shard-1.tar"));
});

async function open(source: string, how: { map?: Record<string, string>; skipBad?: boolean } = {}) {
  const given = { workingDirectory: folder, map: {}, skipBad: false, ...how };
  const found = await unpackedItems(source, given);
  return found && { ...found, items: await found.items.all() };
}

/** A picture of a member of the real archive. */
async function png(): Promise<Uint8Array> {
  const found = await open("shard-1.tar");
  const bytes = await readFile(found?.items[0]?.path ?? "");
  await found?.remove();
  return bytes;
}

test("a Parquet data set's images are files for a while, its other columns are kept", async () => {
  const found = await open("data.parquet");
  expect(found?.items.map(({ text, place, others }) => ({ text, place, others }))).toEqual(
    [1, 2, 3, 4, 5].map((n) => ({
      text: `a square ${n - 1}`,
      place: `row ${n}`,
      others: { score_human: n },
    })),
  );
  expect(found?.notes).toEqual([
    "Reading the text from caption; another one: --map text=my_column",
  ]);
  const paths = found?.items.map(({ path }) => path) ?? [];
  expect(new Set(paths).size).toBe(5);
  for (const path of paths) expect((await readFile(path)).subarray(1, 4).toString()).toBe("PNG");
  await found?.remove();
  await expect(readFile(paths[0] ?? "")).rejects.toThrow("ENOENT");
});

test("of two columns of images one is read, both are named, and --map image=COLUMN is obeyed", async () => {
  const first = await png();
  const second = encodePng({ width: 3, height: 3, data: new Uint8Array(27) });
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: "prompt", data: ["a square"], type: "STRING" },
      { name: "image_0", data: [first], type: "BYTE_ARRAY" },
      { name: "image_1", data: [second], type: "BYTE_ARRAY" },
    ],
  });
  await writeFile(join(folder, "pairs.parquet"), new Uint8Array(bytes));
  const readBy = async (map: Record<string, string>) => {
    const found = await open("pairs.parquet", { map });
    const [item] = found?.items ?? [];
    const read = await readFile(item?.path ?? "");
    await found?.remove();
    return { read: new Uint8Array(read), notes: found?.notes.join(" "), others: item?.others };
  };
  const guessed = await readBy({});
  expect(guessed).toMatchObject({ read: new Uint8Array(first), others: {} });
  expect(guessed.notes).toContain("image_0 and image_1");
  const mapped = await readBy({ image: "image_1" });
  expect(mapped.read).toEqual(new Uint8Array(second));
  expect(mapped.notes).not.toContain("image_0");
  await expect(open("pairs.parquet", { map: { image: "image_2" } })).rejects.toThrow(
    "Expected a column of images for --map image=image_2",
  );
});

test("a WebDataset shard's samples have their JSON's members; several are one after the other", async () => {
  await copyFile(join(folder, "shard-1.tar"), join(folder, "shard-2.tar"));
  const found = await open("shard-*.tar");
  expect(found?.items.map(({ image, text, others }) => ({ image, text, others }))).toEqual(
    [3, 4, 3, 4].map((n) => ({
      image: `s/000${n}.png`,
      text: `a square ${n}`,
      others: { __key__: `s/000${n}`, aesthetic: n - 3 },
    })),
  );
  // The same images are written once.
  expect(new Set(found?.items.map(({ path }) => path)).size).toBe(2);
  await found?.remove();
});

test("what is neither is left to others", async () => {
  await writeFile(join(folder, "scores.csv"), "image,text\n");
  expect(await open("scores.csv")).toBeUndefined();
  await writeFile(join(folder, "table.parquet"), "PAR1");
  expect(await open("table.parquet")).toBeUndefined();
});

test("a folder's splits are read one after the other, with their names", async () => {
  const content = await png();
  for (const split of ["train", "test"]) {
    await mkdir(join(folder, "set", split), { recursive: true });
    await writeFile(join(folder, "set", split, "a.png"), content);
    await writeFile(
      join(folder, "set", split, "metadata.csv"),
      `file_name,caption\na.png,${split}\n`,
    );
  }
  const metric =
    "export default { name: 'one', range: [0, 1], direction: 'higher', score: () => 1 };";
  await writeFile(join(folder, "one.mjs"), metric);
  const line = async (...words: readonly string[]) => {
    return touchstoneHere(["score", "set", "--metric", "./one.mjs", ...words], {
      workingDirectory: folder,
    });
  };
  expect((await line()).stderr).toContain("Reading the text from the column caption");
  const { stdout } = await line("--json");
  expect(JSON.parse(stdout).results).toMatchObject([
    { split: "test", text: "test" },
    { split: "train", text: "train" },
  ]);
  const out = await line("--out", "set/train/metadata.csv");
  expect(out).toMatchObject({ code: 2, stderr: expect.stringContaining("than the input") });
});

describe("of a shard of one's own", () => {
  const shard = async (members: readonly MadeMember[]) =>
    writeFile(join(folder, "own.tar"), tarBytes(members));

  test("the text is a .txt, else a column of JSON, or the one that is named", async () => {
    const content = await png();
    await shard([
      { name: "a.jpg", content },
      { name: "a.txt", content: "from the text\n" },
      { name: "a.json", content: '{"alt": "from the alt"}' },
      { name: "a.seg.png", content: "a mask, no image" },
      { name: ".hidden.txt", content: "nothing" },
    ]);
    const [first] = [await open("own.tar")];
    expect(first?.items).toMatchObject([{ image: "a.jpg", text: "from the text" }]);
    await first?.remove();
    const named = await open("own.tar", { map: { text: "alt" } });
    expect(named?.items).toMatchObject([{ text: "from the alt" }]);
    await named?.remove();
  });

  test("a sample without an image or text is refused, or left unscored", async () => {
    await shard([
      { name: "a.txt", content: "a cat" },
      { name: "b.png", content: await png() },
      { name: "b.json", content: "{}" },
    ]);
    await expect(open("own.tar")).rejects.toThrow(
      "Expected a value for the image but received nothing (in a of own.tar)",
    );
    const found = await open("own.tar", { skipBad: true });
    expect(found?.items.map(({ problem }) => problem)).toEqual([
      "Expected a value for the image but received nothing",
      "Expected a value for txt but received nothing",
    ]);
    await found?.remove();
  });

  test.each<[readonly MadeMember[], string]>([
    [[{ name: "a.png", content: "x" }], "Expected a column text, prompt, caption"],
    [[{ name: "a.json", content: "[1]" }], "Expected a JSON object for a.json in own.tar"],
    [[{ name: "README", content: "no sample" }], "Expected images in own.tar but found none"],
    [[{ name: "../a.png", content: "x" }], "a path out of it"],
  ])("what is none is refused: %j", async (members, problem) => {
    await shard(members);
    await expect(open("own.tar")).rejects.toThrow(problem);
  });

  test("a bad image is refused by its name before any model is asked, and nothing is left", async () => {
    await shard([
      { name: "a.png", content: "no picture" },
      { name: "a.txt", content: "a cat" },
    ]);
    const environment = fakeEnvironment({ workingDirectory: folder });
    const words = ["score", "own.tar", "--metric", "vqa-score", "--model", "lab:vqa"];
    expect(await runCommandLine(words, environment)).toBe(2);
    expect(environment.written.stderr).toContain("a.png");
    expect((await readdir(folder)).sort()).toEqual(["data.parquet", "own.tar", "shard-1.tar"]);
  });
});
