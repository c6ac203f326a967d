import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { madeImage } from "../../../test/support/generator-behind.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { folderGenerator, ImageIndex } from "./folder-generator.js";

const key = "0123456789abcdef0123456789abcdef";

async function folderOf(names: readonly string[], tables: Record<string, string> = {}) {
  const directory = await temporaryDirectory();
  for (const name of names) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), madeImage);
  }
  for (const [name, text] of Object.entries(tables)) await writeFile(join(directory, name), text);
  return directory;
}
const place = (role: string, sample: number, prompt = key) => ({
  text: "?",
  place: { prompt, role, sample },
});

test("by file names: KEY-ROLE-SAMPLE, in folders below as well; others are extra", async () => {
  const directory = await folderOf([
    `${key}-correct-0.png`,
    `${key}-control-adversarial-12.webp`,
    `more/${key}-correct-0.jpg`,
    "holiday.png",
    `${key}-unknown-0.png`,
  ]);
  const index = await ImageIndex.open(directory);
  expect(index.fileOf(place("correct", 0))).toBe(`${key}-correct-0.png`);
  expect(index.fileOf(place("control-adversarial", 12))).toBe(`${key}-control-adversarial-12.webp`);
  expect(index.fileOf(place("adversarial", 12))).toBeUndefined();
  expect(index.fileOf(place("correct", 1))).toBeUndefined();
  expect(index.repeated).toEqual([`more/${key}-correct-0.jpg`]);
  expect(index.images).toHaveLength(5);
});

test("by a CSV with prompt, role and sample", async () => {
  const names = ["a.png", "b.png", "c.png"];
  const csv = ["prompt,role,sample,file", `${key},correct,0,a.png`, `${key},correct,1,b.png`];
  csv.push(`${key},correct,0,c.png`, `${key},adversarial,0,gone.png`, "");
  const index = await ImageIndex.open(await folderOf(names, { "metadata.csv": csv.join("\n") }));
  expect(index.fileOf(place("correct", 0))).toBe("a.png");
  expect(index.fileOf(place("correct", 1))).toBe("b.png");
  expect(index.fileOf(place("adversarial", 0))).toBeUndefined();
  expect(index.repeated).toEqual(["c.png"]);
  expect(index.absent).toEqual(["gone.png"]);
});

test("by metadata.jsonl with texts: the rows of a text are its images in order", async () => {
  const rows = [
    { file_name: "a.png", text: "a cat" },
    { file_name: "b.png", text: "a cat" },
    { file_name: "c.png", text: "a dog", sample: 3 },
  ];
  const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
  const directory = await folderOf(["a.png", "b.png", "c.png"], { "metadata.jsonl": jsonl });
  const index = await ImageIndex.open(directory);
  const at = (text: string, sample: number) =>
    index.fileOf({ text, place: { prompt: key, role: "correct", sample } });
  expect([at("a cat", 0), at("a cat ", 1), at("a cat", 2)]).toEqual(["a.png", "b.png", undefined]);
  expect([at("a dog", 3), at("a dog", 0)]).toEqual(["c.png", undefined]);
  expect(index.fileOf({ text: "a cat" })).toBe("a.png");
});

test("a query's images by a table, its refined ones by their names beside it", async () => {
  const names = ["a.png", "b.png", `${key}-refined-0.png`];
  const csv = "file_name,query\na.png,a nurse\nb.png,a nurse\n";
  const index = await ImageIndex.open(await folderOf(names, { "metadata.csv": csv }));
  const at = (role: string, sample: number) =>
    index.fileOf({ ...place(role, sample), text: "a nurse" });
  expect([at("query", 0), at("query", 1), at("query", 2)]).toEqual(["a.png", "b.png", undefined]);
  // A rewrite in the query's own words is another image than the query's.
  expect([at("refined", 0), at("refined", 1)]).toEqual([`${key}-refined-0.png`, undefined]);
});

test.each([
  [{ "metadata.csv": "file_name,sample\na.png,0\n" }, "Expected a table that says"],
  [{ "metadata.csv": "text\na cat\n" }, "Expected a table that says"],
  [{ "metadata.csv": "file,text,sample\na.png,a cat,first\n" }, "Expected a table that says"],
  [{ "metadata.csv": "file,text\na.png,b\n", "metadata.jsonl": "{}" }, "found both"],
])("%j is refused", async (tables, message) => {
  const directory = await folderOf(["a.png"], tables as Record<string, string>);
  await expect(ImageIndex.open(directory)).rejects.toThrow(message);
});

test("an image of a format that is not read is refused by its name, not missing; a readable one comes first", async () => {
  const directory = await folderOf([`${key}-query-1.heic`, `${key}-query-1.png`], {
    [`${key}-query-0.heic`]: "\0\0\0\x18ftypheic\0\0\0\0mif1heic",
  });
  const index = await ImageIndex.open(directory);
  expect(index.fileOf(place("query", 1))).toBe(`${key}-query-1.png`);
  const { text: prompt, place: first } = place("query", 0);
  await expect(
    folderGenerator({ directory, index, name: "mine" }).generate({ prompt, seed: 0, place: first }),
  ).rejects.toThrow(/query-0\.heic.*HEIC/);
});

test("the generator gives the file; what is missing may come, what is no image is bad", async () => {
  const directory = await folderOf([`${key}-correct-0.png`]);
  await writeFile(join(directory, `${key}-correct-1.png`), "not an image");
  const index = await ImageIndex.open(directory);
  const generator = folderGenerator({ directory, index, name: "./mine" });
  const request = (sample: number) => ({
    prompt: "?",
    seed: 0,
    place: { prompt: key, role: "correct", sample },
  });
  const made = await generator.generate(request(0));
  expect(Buffer.compare(made.bytes, madeImage)).toBe(0);
  expect(made.file).toBe(join(directory, `${key}-correct-0.png`));
  const embedded = folderGenerator({ directory, index, embed: true });
  expect(await embedded.generate(request(0))).toEqual({ bytes: made.bytes });
  await expect(generator.generate(request(1))).rejects.toThrow(
    expect.objectContaining({ reason: "bad-input" }),
  );
  await expect(generator.generate(request(2))).rejects.toThrow(
    expect.objectContaining({ reason: "not-applicable", retryable: true }),
  );
});
