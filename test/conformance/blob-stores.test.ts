import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../../src/core/errors.js";
import type { Hash } from "../../src/core/keys.js";
import type { NewRun } from "../../src/core/recipe.js";
import { openStore, shownPlace } from "../../src/files/open-store.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { imageHomes } from "./record-homes.js";

const create: NewRun = { command: "touchstone demo --seed 3", seed: 3, software: "1.0.0" };
const bytes = new Uint8Array([1, 2, 3, 4]);
const expected = "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a";
const missing = "0".repeat(64) as Hash;

describe.each(
  imageHomes.map((home) => ({
    ...home,
    title: home.missing === undefined ? home.name : `${home.name} (skipped: ${home.missing})`,
  })),
)("images of a run in a $title", (home) => {
  if (home.missing !== undefined) return void test.skip(home.missing);
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    stop = await home.start();
  });
  afterAll(async () => stop?.());

  test("are kept once by their hash, and checked when they are read", async () => {
    const run = await openStore(await home.newPlace(), { create });
    const writer = await run.startWriting([]);
    const hash = await writer.blobs.write(bytes, "image/png");
    expect(await run.blobs.write(bytes, "image/png")).toBe(hash);
    expect(hash).toBe(expected);
    expect(new Uint8Array(await run.blobs.read(hash))).toEqual(bytes);
    expect(await run.blobs.problemOf(hash)).toBeUndefined();
    await expect(run.blobs.read(missing)).rejects.toThrow(InputError);
    expect(await run.blobs.problemOf(missing)).toContain(missing);
    expect(await run.blobs.addressOf(missing)).toBeUndefined();

    await home.damage(run.place, hash);
    await expect(run.blobs.read(hash)).rejects.toThrow(InputError);
    expect(await run.blobs.problemOf(hash)).toContain(hash);
    expect(await writer.blobs.write(bytes, "image/png")).toBe(hash);
    expect(new Uint8Array(await run.blobs.read(hash))).toEqual(bytes);
    await writer.close();
  });

  test("are found by whoever opens the run by its name alone, whatever they are of", async () => {
    const place = await home.newPlace();
    const run = await openStore(place, { create });
    const writer = await run.startWriting([]);
    const kinds = ["image/png", "image/jpeg", "image/webp", "image/svg+xml", "application/x-any"];
    const hashes = await Promise.all(
      kinds.map((kind, at) => writer.blobs.write(new Uint8Array([at]), kind)),
    );
    await writer.close();
    // Where images lie stands in the store: the place as it is shown does without.
    const again = await openStore(shownPlace(place));
    for (const [at, hash] of hashes.entries()) {
      expect(new Uint8Array(await again.blobs.read(hash))).toEqual(new Uint8Array([at]));
      expect(await again.blobs.problemOf(hash)).toBeUndefined();
    }
  });

  test("may be files of the user's own, which are referred to until a copy is kept", async () => {
    const run = await openStore(await home.newPlace(), { create });
    const writer = await run.startWriting([]);
    const own = join(await temporaryDirectory(), "own.png");
    await writeFile(own, bytes);
    const hash = await writer.blobs.refer(bytes, own);
    expect(hash).toBe(expected);
    expect(await run.blobs.addressOf(hash)).toBe(own);
    expect(new Uint8Array(await run.blobs.read(hash))).toEqual(bytes);
    expect(await run.blobs.problemOf(hash)).toBeUndefined();
    await rm(own);
    expect(await run.blobs.problemOf(hash)).toContain("own.png");
    await writer.blobs.write(bytes, "image/png");
    expect(new Uint8Array(await run.blobs.read(hash))).toEqual(bytes);
    await writer.close();
  });
});
