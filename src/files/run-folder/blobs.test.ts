import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { hashOf } from "../../core/keys.js";
import { Blobs } from "./blobs.js";

const bytes = new Uint8Array([1, 2, 3]);

test("stores bytes once under their SHA-256, with the extension of their type", async () => {
  const blobs = new Blobs(join(await temporaryDirectory(), "blobs"));
  const [hash] = await Promise.all([
    blobs.write(bytes, "image/png"),
    blobs.write(bytes, "image/png"),
  ]);
  const path = join(blobs.directory, hash.slice(0, 2), `${hash}.png`);
  expect(hash).toBe(hashOf(bytes));
  expect(await blobs.addressOf(hash)).toBe(path);
  const { ino } = await stat(path);
  await blobs.write(bytes, "image/png");
  expect((await stat(path)).ino).toBe(ino);
  expect(await readdir(blobs.directory, { recursive: true })).toHaveLength(2);
});

test("finds a blob of any type by its hash alone", async () => {
  const blobs = new Blobs(await temporaryDirectory());
  const jpeg = await blobs.write(bytes, "image/jpeg");
  const unknown = await blobs.write(new Uint8Array([9]), "application/x-unheard-of");
  expect([...(await blobs.read(jpeg))]).toEqual([1, 2, 3]);
  expect(await blobs.addressOf(jpeg)).toMatch(/\.jpg$/);
  expect(await blobs.addressOf(unknown)).toMatch(/\.bin$/);
});

test("refuses bytes that are not those that were stored", async () => {
  const blobs = new Blobs(await temporaryDirectory());
  const hash = await blobs.write(bytes, "image/png");
  const path = (await blobs.addressOf(hash)) ?? "";
  await writeFile(path, (await readFile(path)).subarray(0, 2));
  await expect(blobs.read(hash)).rejects.toThrow(InputError);
  await expect(blobs.read(hash)).rejects.toThrow(path);
});

test.skipIf(process.platform === "win32")("replaces a pipe in its place", async () => {
  const blobs = new Blobs(await temporaryDirectory());
  const hash = await blobs.write(bytes, "image/png");
  const path = (await blobs.addressOf(hash)) ?? "";
  await rm(path);
  execFileSync("mkfifo", [path]);
  await blobs.write(bytes, "image/png");
  expect([...(await blobs.read(hash))]).toEqual([1, 2, 3]);
});

test("names a blob that is not there", async () => {
  const blobs = new Blobs(await temporaryDirectory());
  const hash = hashOf(bytes);
  expect(await blobs.addressOf(hash)).toBeUndefined();
  await expect(blobs.read(hash)).rejects.toThrow(hash);
});

test("a file of the user's is referred to, not copied, and seen to be the same", async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, "mine.png");
  await writeFile(file, "one");
  const blobs = new Blobs(join(directory, "blobs"));
  const hash = hashOf(Buffer.from("one"));
  await blobs.refer(hash, file);
  const [folder = ""] = await readdir(blobs.directory);
  expect(await readdir(join(blobs.directory, folder))).toEqual([`${hash}.path`]);
  expect(await blobs.addressOf(hash)).toBe(file);
  expect(Buffer.from(await blobs.read(hash)).toString()).toBe("one");

  await writeFile(file, "another");
  await expect(blobs.read(hash)).rejects.toThrow("but received ae448ac");
  await rm(file);
  await expect(blobs.read(hash)).rejects.toThrow(file);
  // A copy comes first.
  await blobs.write(Buffer.from("one"), "image/jpeg");
  expect(Buffer.from(await blobs.read(hash)).toString()).toBe("one");
});
