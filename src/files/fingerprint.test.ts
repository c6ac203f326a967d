import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { fingerprintOf } from "./fingerprint.js";

test("it changes with every file that is changed, added or removed, and with nothing else", async () => {
  const folder = await temporaryDirectory();
  const file = join(folder, "blobs/ab/one.png");
  await mkdir(join(folder, "blobs/ab"), { recursive: true });
  await writeFile(file, "one");
  await utimes(file, 1, 1);
  const now = () => fingerprintOf([folder], { without: ["trace"] });
  const before = await now();
  await mkdir(join(folder, "trace"));
  await writeFile(join(folder, "trace/segment-1.jsonl"), "{}");
  expect(await now()).toBe(before);
  await utimes(file, 1, 2);
  expect(await now()).not.toBe(before);
  await utimes(file, 1, 1);
  expect(await now()).toBe(before);
  await writeFile(join(folder, "blobs/two.png"), "");
  expect(await now()).not.toBe(before);
  await rm(join(folder, "blobs/two.png"));
  await rm(file);
  expect(await now()).not.toBe(before);
});

test("a folder that is not there counts as empty", async () => {
  const folder = await temporaryDirectory();
  expect(await fingerprintOf([join(folder, "none")])).toBe(await fingerprintOf([folder]));
});
