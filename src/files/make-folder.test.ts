import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { freeName, makeFolder } from "./make-folder.js";

it("makes a folder with those above it, by several at once, and again", async () => {
  const path = join(await temporaryDirectory(), "a/b/c");
  await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(path, "d"))]);
  await makeFolder(path);
  expect((await stat(join(path, "d"))).isDirectory()).toBe(true);
});

it("is refused where a file is in the way", async () => {
  const file = join(await temporaryDirectory(), "file");
  await writeFile(file, "");
  await expect(makeFolder(file)).rejects.toMatchObject({
    code: "input",
    cause: { code: "EEXIST" },
  });
  await expect(makeFolder(join(file, "a/b"))).rejects.toMatchObject({
    code: "input",
    cause: { code: "ENOTDIR" },
  });
});

it.skipIf(!existsSync("/proc/self"))("is refused where no folder can be made", async () => {
  await expect(makeFolder("/proc/nowhere/run")).rejects.toMatchObject({
    code: "input",
    cause: { code: "ENOENT" },
  });
});

test("each name once, whatever its case", () => {
  const taken = new Set<string>();
  const names = ["cat", "Cat", "dog", "cat-2", "cat"].map((stem) => freeName(taken, stem, ".png"));
  expect(names).toEqual(["cat.png", "Cat-2.png", "dog.png", "cat-2-2.png", "cat-3.png"]);
});
