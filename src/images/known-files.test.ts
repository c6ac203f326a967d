import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { KnownFiles } from "./known-files.js";
import { openPicture } from "./picture.js";

async function setting() {
  const folder = await temporaryDirectory();
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  const create = { width: 64, height: 64, channels: 3, background: "red", noise } as const;
  const path = join(folder, "a.jpg");
  await writeFile(path, await sharp({ create }).jpeg().toBuffer());
  return { cache: join(folder, "cache"), path };
}

test("a file that stands is not read again by the next process", async () => {
  const { cache, path } = await setting();
  const first = new KnownFiles(cache);
  const { hash, ...facts } = await first.look(path);
  expect(hash).toBe((await openPicture(await readFile(path))).hash);
  expect(facts).toMatchObject({ width: 64, height: 64, mediaType: "image/jpeg", isPlain: true });
  await first.save();
  // What is remembered is believed, so it shows that the file was not read.
  const [name = ""] = await readdir(cache);
  const noted = await readFile(join(cache, name), "utf8");
  await writeFile(join(cache, name), noted.replace(hash, "0".repeat(64)));
  expect(await new KnownFiles(cache).look(path)).toMatchObject({ hash: "0".repeat(64) });
  await writeFile(join(cache, name), "torn");
  expect(await new KnownFiles(cache).look(path)).toMatchObject({ hash });
});

test("files of two folders are remembered, each by the name that it was given last", async () => {
  const { cache, path } = await setting();
  const other = join(await temporaryDirectory(), "b.jpg");
  await writeFile(other, Buffer.concat([await readFile(path), Buffer.of(0)]));
  const first = new KnownFiles(cache);
  await first.look(path);
  const { hash } = await first.look(other);
  await first.save();
  await first.save();
  expect(await readdir(cache)).toHaveLength(2);
  const known = new KnownFiles(cache);
  await known.look(path, { name: "a.jpg" });
  expect(await known.look(other, { name: "b.jpg" })).toMatchObject({ hash });
  const picture = await known.picture(hash);
  await writeFile(other, "other bytes");
  expect(() => picture?.bytes).toThrow("Expected b.jpg as it was opened first");
});

test("a place that can't be written to stops nobody", async () => {
  const { cache, path } = await setting();
  await writeFile(cache, "a file");
  const known = new KnownFiles(cache);
  await known.look(path);
  await known.save();
  expect(await readFile(cache, "utf8")).toBe("a file");
});

test("one that was changed or removed is looked at again, and none is shown in its place", async () => {
  const { cache, path } = await setting();
  const known = new KnownFiles(cache);
  const { hash } = await known.look(path);
  expect(await known.pathOf(hash)).toBe(path);
  await appendFile(path, "!");
  expect(await known.pathOf(hash)).toBeUndefined();
  expect(await known.picture(hash)).toBeUndefined();
  expect((await known.look(path)).hash).not.toBe(hash);
  await rm(path);
  await expect(known.look(path, { name: "a.jpg" })).rejects.toThrow("Can't read a.jpg");
});

test("its picture shows the pixels of the file, which is not read before", async () => {
  const { path } = await setting();
  const known = new KnownFiles();
  const { hash } = await known.look(path);
  const picture = await known.picture(hash);
  const opened = await openPicture(await readFile(path));
  expect(picture).toMatchObject({ hash, width: 64, height: 64, file: path });
  expect(await picture?.pixels()).toEqual(await opened.pixels());
  expect(Buffer.compare(picture?.bytes ?? Buffer.of(), opened.bytes)).toBe(0);
  const late = await known.picture(hash);
  await writeFile(path, "other bytes");
  expect(() => late?.bytes).toThrow("changed");
  await expect(late?.pixels()).rejects.toThrow("changed");
});

test("a body that is broken shows when it is decoded", async () => {
  const { cache, path } = await setting();
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, bytes.length - 400));
  const known = new KnownFiles(cache);
  expect(await known.look(path)).toMatchObject({ isWhole: false });
  await expect(known.look(path, { decodes: true })).rejects.toMatchObject({ reason: "bad-input" });
  await known.save();
  const again = new KnownFiles(cache).look(path, { decodes: true });
  await expect(again).rejects.toMatchObject({ reason: "bad-input" });
});
