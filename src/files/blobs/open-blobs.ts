import { stat } from "node:fs/promises";
import { InputError, TouchstoneError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import type { BlobStore } from "../../core/record-store.js";
import { Blobs } from "../run-folder/blobs.js";
import { blobAddress } from "./blob-address.js";
import { S3Blobs, type S3BlobsOptions } from "./s3-blobs.js";

/** Opens the images at an address that `addressText` wrote; connects only when one is read or written. */
export function openBlobs(
  text: string,
  options: Omit<S3BlobsOptions, "bucket" | "prefix"> = {},
): BlobStore {
  const address = blobAddress(text);
  return address.kind === "s3"
    ? new S3Blobs({ ...options, ...address })
    : new DiskBlobs(address.directory);
}

/**
 * Images on a disk that several machines share. The folder is never created: where it is missing, the disk
 * is not mounted, and no image counts as lost.
 */
class DiskBlobs implements BlobStore {
  readonly directory: string;
  readonly #blobs: Blobs;

  constructor(directory: string) {
    this.directory = directory;
    this.#blobs = new Blobs(directory);
  }

  async write(bytes: Uint8Array, mediaType: string): Promise<Hash> {
    return (await this.#there()).write(bytes, mediaType);
  }

  async refer(hash: Hash, file: string): Promise<void> {
    await (await this.#there()).refer(hash, file);
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
