import { stat } from "node:fs/promises";
import { InputError, TouchstoneError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import type { BlobStore } from "../../core/record-store.js";
import { Blobs } from "../run-folder/blobs.js";

/**
 * Images of a run in a folder of a disk that several machines share. The folder itself is never made:
 * where it is gone, the disk is not mounted, and no image counts as missing.
 */
export class DiskBlobs implements BlobStore {
  readonly directory: string;
  readonly #blobs: Blobs;

  constructor(directory: string) {
    this.directory = directory;
    this.#blobs = new Blobs(directory);
  }

  async write(bytes: Uint8Array, mediaType: string): Promise<Hash> {
    return (await this.#there()).write(bytes, mediaType);
  }

  async refer(bytes: Uint8Array, file: string): Promise<Hash> {
    return (await this.#there()).refer(bytes, file);
  }

  async read(hash: Hash): Promise<Uint8Array> {
    return (await this.#there()).read(hash);
  }

  async problemOf(hash: Hash): Promise<string | undefined> {
    return (await this.#there()).problemOf(hash);
  }

  async addressOf(hash: Hash): Promise<string | undefined> {
    return (await this.#there()).addressOf(hash);
  }

  async #there(): Promise<Blobs> {
    const found = await stat(this.directory).catch(() => undefined);
    if (found?.isDirectory()) return this.#blobs;
    if (found !== undefined) {
      throw new InputError(`Expected a folder for images but ${this.directory} is none`);
    }
    throw new TouchstoneError(
      "store",
      `Could not reach the images in ${this.directory}: it is not there`,
      {
        hint: "Is the disk mounted? Make the folder yourself where it is to begin; --blobs names another place.",
      },
    );
  }
}
