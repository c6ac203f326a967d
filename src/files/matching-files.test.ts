import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { matchingFiles } from "./matching-files.js";

let folder = "";
beforeEach(async () => {
  folder = await temporaryDirectory();
  await mkdir(join(folder, "scores/2026/may"), { recursive: true });
  await mkdir(join(folder, ".hidden"));
  for (const name of [
    "a.csv",
    "b.csv",
    "b.csv.bak",
    "c+d (1).csv",
    "[x].csv",
    ".e.csv",
    ".hidden/f.csv",
    "scores/a.parquet",
    "scores/2026/b.parquet",
    "scores/2026/may/c.parquet",
  ]) {
    await writeFile(join(folder, name), "");
  }
  await symlink(folder, join(folder, "scores/circle"));
});

const found = (...words: string[]) => matchingFiles(words, folder);

test.each([
  ["*.csv", ["[x].csv", "a.csv", "b.csv", "c+d (1).csv"]],
  ["?.csv", ["a.csv", "b.csv"]],
  ["[ac].csv", ["a.csv"]],
  ["[!a].csv", ["b.csv"]],
  ["./[b-z].csv", ["./b.csv"]],
  ["*(1)*", ["c+d (1).csv"]],
  [".*.csv", [".e.csv"]],
  ["scores/*/*.parquet", ["scores/2026/b.parquet"]],
  [
    "scores/**/*.parquet",
    ["scores/2026/b.parquet", "scores/2026/may/c.parquet", "scores/a.parquet"],
  ],
  ["scores/**/may/*", ["scores/2026/may/c.parquet"]],
])("%s", async (pattern, names) => {
  expect(await found(pattern)).toEqual(names);
});

test("an absolute pattern finds absolute paths", async () => {
  expect(await found(join(folder, "?.csv"))).toEqual([
    join(folder, "a.csv"),
    join(folder, "b.csv"),
  ]);
});

test("paths are taken as they are, each file once, all in the order of their names", async () => {
  expect(await found("b.csv", "missing.csv", "?.csv", "./b.csv", "[x].csv", "-")).toEqual([
    "-",
    "./b.csv",
    "[x].csv",
    "a.csv",
    "missing.csv",
  ]);
});

test("a pattern that no file matches, or that is none, is refused", async () => {
  await expect(found("*.tsv")).rejects.toThrow("Expected files that match *.tsv but found none");
  await expect(found("scores/*.parquet/x*")).rejects.toThrow("found none");
  await expect(found("[z-a].csv")).rejects.toThrow("Expected a range such as [a-c]");
});

test("braces stand for several names, as WebDataset's do, and each has to be there", async () => {
  for (const name of ["s-08.tar", "s-09.tar", "s-10.tar", "{x,y}.csv"]) {
    await writeFile(join(folder, name), "");
  }
  const shards = ["s-08.tar", "s-09.tar", "s-10.tar"];
  expect(await found("s-{08..10}.tar")).toEqual(shards);
  expect(await found("{a,b}.csv")).toEqual(["a.csv", "b.csv"]);
  expect(await found("s-{08..09}.t*")).toEqual(shards.slice(0, 2));
  // A file of that very name, and a shard that is missing.
  expect(await found("{x,y}.csv")).toEqual(["{x,y}.csv"]);
  expect(await found("s-{08..11}.tar")).toEqual([...shards, "s-11.tar"]);
  await expect(found("s-{0..999999999}.tar")).rejects.toThrow("at most 100,000 files");
});
