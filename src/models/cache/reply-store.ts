import { createHash, randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Key } from "../../core/keys.js";
import { makeFolder } from "../../files/make-folder.js";

/**
 * JSON texts by key, in files such as `ab/abcd….json`, for any number of processes at once. A file
 * begins with the SHA-256 of the rest: one that was torn or damaged is none.
 */
export class ReplyStore {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** `undefined` where there is none, or none that is whole. */
  async read(key: Key): Promise<string | undefined> {
    const text = await readFile(this.#pathOf(key), "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    const end = text.indexOf("\n");
    const content = text.slice(end + 1);
    return end >= 0 && text.slice(0, end) === sha256(content) ? content : undefined;
  }

  /** Written beside and renamed: whoever reads sees all of it or nothing. */
  async write(key: Key, content: string): Promise<void> {
    const path = this.#pathOf(key);
    const beside = `${path}.${randomUUID()}`;
    // Not synced to the disk: what a power cut tears is noticed and asked again.
    const put = () => writeFile(beside, `${sha256(content)}\n${content}`, { flag: "wx" });
    try {
      await put().catch(async (error: unknown) => {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        await makeFolder(dirname(path), path);
        await put();
      });
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }

  async forget(key: Key): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  #pathOf(key: Key): string {
    return join(this.directory, key.slice(0, 2), `${key}.json`);
  }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
