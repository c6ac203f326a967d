import { createHash } from "node:crypto";
import type { Hash } from "../../core/keys.js";

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/svg+xml": "svg",
};

/** How the name of a file ends that says where bytes lie which are not copied. */
const reference = ".path";

/** The folder of a blob, the name of its file in it, and its path: the same in every home of files. */
export const blobFolder = (hash: Hash): string => hash.slice(0, 2);
export const blobName = (hash: Hash, mediaType: string): string =>
  `${hash}.${extensions[mediaType] ?? "bin"}`;
export const referenceName = (hash: Hash): string => `${hash}${reference}`;
export const isReference = (name: string): boolean => name.endsWith(reference);

/** Which of the names in a blob's folder has its bytes: a copy is surer to be there than a user's own file. */
export function nameOfBlob(hash: Hash, names: readonly string[]): string | undefined {
  const own = names.filter((name) => name.startsWith(`${hash}.`));
  return own.find((name) => !isReference(name)) ?? own[0];
}

/** The native digest: ten times as fast as the portable one, and images are large. */
export const sha256 = (bytes: Uint8Array): Hash =>
  createHash("sha256").update(bytes).digest("hex") as Hash;
