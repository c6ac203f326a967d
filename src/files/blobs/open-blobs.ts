import type { BlobStore } from "../../core/record-store.js";
import { blobAddress } from "./blob-address.js";
import { DiskBlobs } from "./disk-blobs.js";
import { S3Blobs, type S3BlobsOptions } from "./s3-blobs.js";

/** The images at an address that `addressText` wrote. Nothing is asked there before one is read or written. */
export function openBlobs(
  text: string,
  options: Omit<S3BlobsOptions, "bucket" | "prefix"> = {},
): BlobStore {
  const address = blobAddress(text);
  return address.kind === "s3"
    ? new S3Blobs({ ...options, ...address })
    : new DiskBlobs(address.directory);
}
