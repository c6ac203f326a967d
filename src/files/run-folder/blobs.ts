import { readFileSync, type Stats, statSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { InputError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import type { BlobStore } from "../../core/record-store.js";
import { writeFileAtomically } from "../atomic.js";
import {
  blobFolder,
  blobName,
  isReference,
  nameOfBlob,
  referenceName,
  sha256,
} from "../blobs/blob-address.js";
import { failed } from "../file-error.js";
import { namesIn } from "../make-folder.js";
import { exists } from "../paths.js";
import { mostImageBytes, readRegularFile, readTextFile } from "../regular-file.js";

/**
 * Bytes by their SHA-256, in files such as `ab/abcd….png`: written once, never changed. In place of
 * a user's own file stands `ab/abcd….path`, with the file's path.
 */
export class Blobs implements BlobStore {
  readonly directory: string;
  readonly #owner: string | undefined;
  #checked = 0;

  /** @param owner who writes; see `writeFileAtomically` */
  constructor(directory: string, { owner }: { owner?: string } = {}) {
    this.directory = directory;
    this.#owner = owner;
  }

  async write(bytes: Uint8Array, mediaType: string): Promise<Hash> {
    const hash = sha256(bytes);
    const path = join(this.#folderOf(hash), blobName(hash, mediaType));
    // One that was damaged is written anew, and what is no file is replaced, not written into.
    if ((await hashOfFile(path)) === hash) return hash;
    if (await isNoFile(path)) await rm(path, { force: true });
    const owner = this.#owner;
    await writeFileAtomically(path, bytes, owner === undefined ? {} : { owner });
    return hash;
  }

  async refer(hash: Hash, file: string): Promise<void> {
    const owner = this.#owner;
    const path = join(this.#folderOf(hash), referenceName(hash));
    // After a power cut it may be gone: the image then counts as broken, and is looked at again.
    const how = { ...(owner === undefined ? {} : { owner }), lasts: false };
    await writeFileAtomically(path, `${resolve(file)}\n`, how);
  }

  async read(hash: Hash): Promise<Uint8Array> {
    const path = await this.addressOf(hash);
    if (path === undefined) {
      throw new InputError(`Expected the image ${hash} in ${this.directory} but it is not there`, {
        hint: "Was the run folder copied without its blobs?",
      });
    }
    const bytes = await readRegularFile(path, { mostBytes: mostImageBytes }).catch(
      failed("read", path),
    );
    const found = sha256(bytes);
    if (found !== hash) {
      throw new InputError(`Expected bytes with SHA-256 ${hash} in ${path} but received ${found}`, {
        hint: "The file was changed or damaged since it was written.",
      });
    }
    return bytes;
  }

  async problemOf(hash: Hash): Promise<string | undefined> {
    // Who waits for a clock or a signal has a turn.
    if (this.#checked++ % 256 === 0) await setImmediate();
    try {
      if (!this.#isWhole(hash)) await this.read(hash);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * Whether the bytes lie here as they should, asked of the disk at once: for thousands of small files, waiting
   * for Node's threads takes most of the time.
   */
  #isWhole(hash: Hash): boolean {
    try {
      const path = mediaTypes
        .map((mediaType) => join(this.#folderOf(hash), blobName(hash, mediaType)))
        .find((one) => isSmallFile(statSync(one, { throwIfNoEntry: false })));
      return path !== undefined && sha256(readFileSync(path)) === hash;
    } catch {
      return false;
    }
  }

  /** The file of a blob, here or where it is referred to. */
  async addressOf(hash: Hash): Promise<string | undefined> {
    const folder = this.#folderOf(hash);
    const png = join(folder, `${hash}.png`);
    if (await exists(png)) return png;
    const name = nameOfBlob(hash, await namesIn(folder));
    if (name === undefined) return undefined;
    if (!isReference(name)) return join(folder, name);
    return (await readTextFile(join(folder, name))).trimEnd();
  }

  #folderOf(hash: Hash): string {
    return join(this.directory, blobFolder(hash));
  }
}

const hashOfFile = (path: string): Promise<Hash | undefined> =>
  readRegularFile(path, { mostBytes: mostImageBytes }).then(sha256, () => undefined);

const mediaTypes = ["image/png", "image/jpeg", "image/webp"];
const isSmallFile = (found?: Stats) => found?.isFile() === true && found.size < 8e6;

const isNoFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
