import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, statSync, writeFile } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Key } from "../../core/keys.js";
import { blobAddress, sha256 as hashOfBytes } from "../../files/blobs/blob-address.js";
import { S3Bucket } from "../../files/blobs/s3-bucket.js";
import { absent } from "../../files/file-error.js";
import { makeFolder } from "../../files/make-folder.js";

// Those of node:fs/promises make an object of each file they open, at twice the processor time.
const fromFile = promisify(readFile);
const toFile = promisify(writeFile);
const renamed = promisify(rename);

/** So many characters are held in memory where there is no folder. */
const mostHeld = 64 * 2 ** 20;

/**
 * JSON texts by key, in files such as `ab/abcd….json`, for any number of processes at once. A file
 * begins with the SHA-256 of the rest: one that was torn or damaged is none. In place of the folder may stand
 * `s3://bucket/prefix`, for processes of many machines. Without a folder the texts are held in memory, as many as
 * fit into 64 Mi characters, for as long as the store lives.
 */
export class ReplyStore {
  readonly directory: string | undefined;
  readonly #bucket: S3Bucket | undefined;
  readonly #held = new Map<Key, string>();
  #heldLength = 0;
  readonly #underWay = new Map<Key, Promise<unknown>>();

  constructor(directory?: string) {
    this.directory = directory;
    const address = directory?.startsWith("s3://") ? blobAddress(directory) : undefined;
    if (address?.kind === "s3") this.#bucket = new S3Bucket(address);
  }

  /** The folder on this machine that holds them, where one does. */
  get folder(): string | undefined {
    return this.#bucket === undefined ? this.directory : undefined;
  }

  /**
   * Does work for a key; where work for it is under way, that is waited for instead.
   *
   * @returns what the work gave, and whether it was another's
   */
  async once<Made>(
    key: Key,
    work: () => Promise<Made>,
  ): Promise<{ readonly made: Made; readonly isShared: boolean }> {
    const before = this.#underWay.get(key);
    // Of one key all work is alike, and so is what it makes.
    if (before !== undefined) return { made: (await before) as Made, isShared: true };
    const made = work();
    this.#underWay.set(key, made);
    try {
      return { made: await made, isShared: false };
    } finally {
      this.#underWay.delete(key);
    }
  }

  /** `undefined` where there is none, or none that is whole. */
  async read(key: Key): Promise<string | undefined> {
    if (this.directory === undefined) return this.#held.get(key);
    const text = await this.#textOf(key, this.directory);
    if (text === undefined) return undefined;
    const end = text.indexOf("\n");
    const content = text.slice(end + 1);
    return end >= 0 && text.slice(0, end) === sha256(content) ? content : undefined;
  }

  /** Written beside and renamed: whoever reads sees all of it or nothing. */
  async write(key: Key, content: string): Promise<void> {
    if (this.directory === undefined) {
      if (this.#heldLength + content.length > mostHeld) return;
      this.#heldLength += content.length;
      this.#held.set(key, content);
      return;
    }
    const text = `${sha256(content)}\n${content}`;
    if (this.#bucket !== undefined) return this.#put(this.#bucket, key, text);
    const path = pathIn(this.directory, key);
    const beside = `${path}.${randomUUID()}`;
    // Not synced to the disk: what a power cut tears is noticed and asked again.
    const put = () => toFile(beside, text, { flag: "wx" });
    try {
      await put().catch(async (error: unknown) => {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        await makeFolder(dirname(path), path);
        await put();
      });
      await renamed(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }

  async forget(key: Key): Promise<void> {
    if (this.directory === undefined) this.#held.delete(key);
    // One that is empty counts as torn: no right to delete is asked for.
    else if (this.#bucket !== undefined) await this.#put(this.#bucket, key, "");
    else await rm(pathIn(this.directory, key), { force: true });
  }

  async #textOf(key: Key, directory: string): Promise<string | undefined> {
    if (this.#bucket !== undefined) {
      const bytes = await this.#bucket.get(nameOf(key));
      return bytes && new TextDecoder().decode(bytes);
    }
    const path = pathIn(directory, key);
    // Most are asked for the first time: another thread would take five times as long to find nothing.
    if (isNowhere(path)) return undefined;
    return fromFile(path, "utf8").catch(absent(path));
  }

  async #put(bucket: S3Bucket, key: Key, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    await bucket.put(nameOf(key), {
      bytes,
      mediaType: "application/json",
      hash: hashOfBytes(bytes),
    });
  }
}

function isNowhere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Whoever reads it is told why that can't be.
    return false;
  }
}

const nameOf = (key: Key): string => `${key.slice(0, 2)}/${key}.json`;

const pathIn = (directory: string, key: Key): string => join(directory, nameOf(key));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
