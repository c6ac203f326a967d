import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError, TouchstoneError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import type { BlobStore } from "../../core/record-store.js";
import { fileError } from "../file-error.js";
import { mostImageBytes, readRegularFile } from "../regular-file.js";
import { Blobs } from "../run-folder/blobs.js";
import {
  blobAddress,
  blobFolder,
  blobName,
  isReference,
  nameOfBlob,
  referenceName,
  sha256,
} from "./blob-address.js";
import { type BucketOptions, S3Bucket } from "./s3-bucket.js";

export interface S3BlobsOptions extends BucketOptions {
  /** Media type that most images have: such a one is found by one call. */
  readonly mediaType?: string;
}

/**
 * Images of a run or a study as objects of S3, named as the files of a run folder's `blobs`: `ab/abcd….png`. An
 * object is whole or not there, since the service compares what arrived with its length and SHA-256.
 */
export class S3Blobs implements BlobStore {
  readonly #bucket: S3Bucket;
  readonly #mediaType: string;

  constructor({ mediaType = "image/png", ...options }: S3BlobsOptions) {
    this.#bucket = new S3Bucket(options);
    this.#mediaType = mediaType;
  }

  async write(bytes: Uint8Array, mediaType: string): Promise<Hash> {
    const hash = sha256(bytes);
    const name = objectOf(hash, mediaType);
    const there = await this.#hashOf(name, bytes.length);
    if (there !== hash) await this.#bucket.put(name, { bytes, mediaType, hash });
    return hash;
  }

  async refer(hash: Hash, file: string): Promise<void> {
    const text = new TextEncoder().encode(`${resolve(file)}\n`);
    await this.#bucket.put(`${blobFolder(hash)}/${referenceName(hash)}`, {
      bytes: text,
      mediaType: "text/plain; charset=utf-8",
      hash: sha256(text),
    });
  }

  async read(hash: Hash): Promise<Uint8Array> {
    const { bytes, where } = await this.#find(hash);
    const found = sha256(bytes);
    if (found === hash) return bytes;
    throw new BrokenBlob(`Expected bytes with SHA-256 ${hash} in ${where} but received ${found}`, {
      hint: "The object was changed or damaged since it was written.",
    });
  }

  /** Compares checksums where the service keeps them, and reads the object where it does not. */
  async problemOf(hash: Hash): Promise<string | undefined> {
    try {
      if ((await this.#hashOf(this.#expected(hash))) === hash) return undefined;
      await this.read(hash);
      return undefined;
    } catch (error) {
      // Of a service that is away or refuses nothing follows about the image.
      if (error instanceof BrokenBlob) return error.message;
      throw error;
    }
  }

  /** Where a user's own file lies: an object is opened by nobody without keys. */
  async addressOf(hash: Hash): Promise<string | undefined> {
    const name = nameOfBlob(hash, await this.#namesOf(hash));
    return name !== undefined && isReference(name) ? this.#referred(hash) : undefined;
  }

  /** The SHA-256 of an object's bytes; undefined where there is none, or one of another length. */
  async #hashOf(name: string, length?: number): Promise<Hash | undefined> {
    const head = await this.#bucket.head(name);
    if (head === undefined || (length !== undefined && head.length !== length)) return undefined;
    if (head.hash !== undefined) return head.hash;
    const bytes = await this.#bucket.get(name);
    return bytes && sha256(bytes);
  }

  async #find(hash: Hash): Promise<{ readonly bytes: Uint8Array; readonly where: string }> {
    const expected = this.#expected(hash);
    const found = await this.#bucket.get(expected);
    if (found !== undefined) return { bytes: found, where: this.#bucket.addressOf(expected) };
    const name = nameOfBlob(hash, await this.#namesOf(hash));
    if (name === undefined) throw this.#missing(expected);
    if (isReference(name)) {
      const path = await this.#referred(hash);
      const bytes = await readRegularFile(path, { mostBytes: mostImageBytes }).catch((error) => {
        const told = fileError(error, "read", path);
        throw new BrokenBlob(told instanceof Error ? told.message : String(told), { cause: error });
      });
      return { bytes, where: path };
    }
    const object = `${blobFolder(hash)}/${name}`;
    const bytes = await this.#bucket.get(object);
    if (bytes === undefined) throw this.#missing(object);
    return { bytes, where: this.#bucket.addressOf(object) };
  }

  async #referred(hash: Hash): Promise<string> {
    const name = `${blobFolder(hash)}/${referenceName(hash)}`;
    const text = await this.#bucket.get(name);
    if (text === undefined) throw this.#missing(name);
    return new TextDecoder().decode(text).trimEnd();
  }

  async #namesOf(hash: Hash): Promise<readonly string[]> {
    const names = await this.#bucket.names(`${blobFolder(hash)}/${hash}.`);
    return names.map((name) => name.slice(name.lastIndexOf("/") + 1));
  }

  #expected(hash: Hash): string {
    return objectOf(hash, this.#mediaType);
  }

  #missing(name: string): BrokenBlob {
    return new BrokenBlob(
      `Expected an image in ${this.#bucket.addressOf(name)} but it is not there`,
      { hint: "Was it copied whole? A copy goes on when it is made again." },
    );
  }
}

const objectOf = (hash: Hash, mediaType: string): string =>
  `${blobFolder(hash)}/${blobName(hash, mediaType)}`;

/** An image that is gone or damaged, in a place that could be asked. */
class BrokenBlob extends InputError {}

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
