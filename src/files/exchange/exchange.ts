import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { BlobStore } from "../../core/record-store.js";
import { writeFileAtomically } from "../atomic.js";
import { blobAddress, sha256 } from "../blobs/blob-address.js";
import { S3Blobs } from "../blobs/s3-blobs.js";
import { S3Bucket } from "../blobs/s3-bucket.js";
import { absent } from "../file-error.js";
import { schemeOf } from "../postgres/address.js";
import { parquetBytes } from "../rows-file.js";
import { Blobs } from "../run-folder/blobs.js";

/** A place that whoever performs tasks shares with whoever planned them: a folder, or a prefix in a bucket. */
export interface Exchange {
  /** A path, or `s3://bucket/prefix`. */
  readonly place: string;
  readonly blobs: BlobStore;
  /** How a program on any machine names a file of the exchange. */
  pathOf(name: string): string;
  /** `undefined` where there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Writes a file whole or not at all; what stood there is replaced. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** Opens the exchange at a path or an `s3://` address. Nothing is written. */
export function openExchange(place: string, workingDirectory: string): Exchange {
  if (schemeOf(place) !== undefined) {
    const address = blobAddress(place);
    if (address.kind === "s3") return new BucketExchange(address.bucket, address.prefix);
    return new FolderExchange(address.directory);
  }
  return new FolderExchange(resolve(workingDirectory, place));
}

class FolderExchange implements Exchange {
  readonly place: string;
  readonly blobs: BlobStore;

  constructor(directory: string) {
    this.place = directory;
    this.blobs = new Blobs(join(directory, "blobs"));
  }

  pathOf(name: string): string {
    return join(this.place, name);
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const path = this.pathOf(name);
    return readFile(path).catch(absent(path));
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await writeFileAtomically(this.pathOf(name), bytes);
  }
}

class BucketExchange implements Exchange {
  readonly place: string;
  readonly blobs: BlobStore;
  readonly #bucket: S3Bucket;

  constructor(bucket: string, prefix: string) {
    this.#bucket = new S3Bucket({ bucket, prefix });
    this.place = ["s3:/", bucket, ...(prefix === "" ? [] : [prefix])].join("/");
    this.blobs = new S3Blobs({
      bucket,
      prefix: [...(prefix === "" ? [] : [prefix]), "blobs"].join("/"),
    });
  }

  pathOf(name: string): string {
    return this.#bucket.addressOf(name);
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return this.#bucket.get(name);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const mediaType = "application/octet-stream";
    await this.#bucket.put(name, { bytes, mediaType, hash: sha256(bytes) });
  }
}

type TextRow<Name extends string> = Readonly<Record<Name, string>>;

/** Rows of texts as Parquet. */
export const textRowsBytes = <Name extends string>(
  columns: readonly Name[],
  rows: readonly TextRow<Name>[],
): Promise<Uint8Array> =>
  parquetBytes({ columns, rows: rows.map((row) => columns.map((name) => row[name])) });

/**
 * Reads rows that `textRowsBytes` wrote.
 *
 * @throws InputError where the file is torn, or holds other columns
 */
export async function readTextRows<Name extends string>(
  columns: readonly Name[],
  bytes: Uint8Array,
  path: string,
): Promise<TextRow<Name>[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const file = new Uint8Array(bytes).buffer;
  const rows = await parquetReadObjects({ file }).catch((cause: unknown) => {
    throw foreign(path, cause);
  });
  return rows.map((row) => {
    const cells = columns.map((name) => {
      const cell: unknown = row[name];
      if (typeof cell !== "string") throw foreign(path);
      return [name, cell] as const;
    });
    // Each column was just read.
    return Object.fromEntries(cells) as TextRow<Name>;
  });
}

const foreign = (path: string, cause?: unknown): InputError =>
  new InputError(`Expected a part of a run but ${path} is torn, or another table`, {
    hint: "Remove it: run plan writes tasks again, run perform results.",
    ...(cause === undefined ? {} : { cause }),
  });
