import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../../src/core/errors.js";
import { type Hash, hashOf } from "../../src/core/keys.js";
import type { BlobStore } from "../../src/core/record-store.js";
import { openBlobs } from "../../src/files/blobs/s3-blobs.js";
import { Blobs } from "../../src/files/run-folder/blobs.js";
import { damage } from "../support/damaged-run.js";
import { noS3, S3Server } from "../support/s3-server.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const bytes = new Uint8Array([1, 2, 3, 4]);
const expected = "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a";
const missing = "0".repeat(64) as Hash;

/** A new place for images: who opens it, and how one of its images is damaged. */
interface NewBlobs {
  open(): BlobStore;
  damage(hash: Hash): Promise<void>;
}

/** A kind of place where images lie. */
interface Home {
  readonly name: string;
  readonly missing?: string | undefined;
  start?(): Promise<() => Promise<void>>;
  newBlobs(): Promise<NewBlobs>;
}

const bucket = "tests-of-blobs";
let s3: S3Server | undefined;
let prefixes = 0;

const homes: readonly Home[] = [
  {
    name: "the folder of a run",
    async newBlobs() {
      const directory = await temporaryDirectory();
      return { open: () => new Blobs(directory), damage: (hash) => damage(directory, hash) };
    },
  },
  {
    name: "a shared disk",
    async newBlobs() {
      const directory = await temporaryDirectory();
      const address = pathToFileURL(directory).href;
      return { open: () => openBlobs(address), damage: (hash) => damage(directory, hash) };
    },
  },
  {
    name: "S3",
    missing: noS3,
    async start() {
      const started = await S3Server.start();
      s3 = started;
      await started.newBucket(bucket);
      return () => started.stop();
    },
    async newBlobs() {
      const prefix = `images/${prefixes++}`;
      return {
        open: () => openBlobs(`s3://${bucket}/${prefix}`),
        async damage(hash) {
          const name = `${prefix}/${hash.slice(0, 2)}/${hash}.png`;
          const before = (await s3?.get(bucket, name)) ?? new Uint8Array();
          await s3?.put(bucket, name, Buffer.concat([before, Buffer.from("!")]));
        },
      };
    },
  },
];

describe.each(
  homes.map((home) => ({
    ...home,
    title: home.missing === undefined ? home.name : `${home.name} (skipped: ${home.missing})`,
  })),
)("images in $title", ({ missing: why, start, newBlobs }) => {
  if (why !== undefined) return void test.skip(why);
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    stop = await start?.();
  });
  afterAll(async () => stop?.());

  test("are kept once by their hash, and checked when they are read", async () => {
    const { open, damage } = await newBlobs();
    const [blobs, others] = [open(), open()];
    const hash = await blobs.write(bytes, "image/png");
    expect(await others.write(bytes, "image/png")).toBe(hash);
    expect(hash).toBe(expected);
    expect(new Uint8Array(await others.read(hash))).toEqual(bytes);
    expect(await others.problemOf(hash)).toBeUndefined();
    await expect(others.read(missing)).rejects.toThrow(InputError);
    expect(await others.problemOf(missing)).toContain(missing);
    expect(await others.addressOf(missing)).toBeUndefined();

    await damage(hash);
    await expect(others.read(hash)).rejects.toThrow(InputError);
    expect(await others.problemOf(hash)).toContain(hash);
    expect(await blobs.write(bytes, "image/png")).toBe(hash);
    expect(new Uint8Array(await others.read(hash))).toEqual(bytes);
  });

  test("are found by their hash, whatever they are of", async () => {
    const { open } = await newBlobs();
    const kinds = ["image/png", "image/jpeg", "image/webp", "image/svg+xml", "application/x-any"];
    const blobs = open();
    const hashes = await Promise.all(
      kinds.map((kind, at) => blobs.write(new Uint8Array([at]), kind)),
    );
    const again = open();
    for (const [at, hash] of hashes.entries()) {
      expect(new Uint8Array(await again.read(hash))).toEqual(new Uint8Array([at]));
      expect(await again.problemOf(hash)).toBeUndefined();
    }
  });

  test("may be files of the user's own, which are referred to until a copy is kept", async () => {
    const blobs = (await newBlobs()).open();
    const own = join(await temporaryDirectory(), "own.png");
    await writeFile(own, bytes);
    const hash = hashOf(bytes);
    await blobs.refer(hash, own);
    expect(await blobs.addressOf(hash)).toBe(own);
    expect(new Uint8Array(await blobs.read(hash))).toEqual(bytes);
    expect(await blobs.problemOf(hash)).toBeUndefined();
    await rm(own);
    expect(await blobs.problemOf(hash)).toContain("own.png");
    await blobs.write(bytes, "image/png");
    expect(new Uint8Array(await blobs.read(hash))).toEqual(bytes);
  });
});
