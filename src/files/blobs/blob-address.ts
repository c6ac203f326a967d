import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { InputError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";

/** Where images of runs lie outside their database. */
export type BlobAddress =
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string }
  | { readonly kind: "disk"; readonly directory: string };

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/**
 * Takes apart `s3://bucket/prefix`, `file:///mnt/images` or the path of a folder.
 *
 * @param text as a person types it, or `addressText` wrote it
 * @throws InputError that shows nothing of an address that may hold a secret.
 */
export function blobAddress(
  text: string,
  { workingDirectory }: { readonly workingDirectory?: string } = {},
): BlobAddress {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined && workingDirectory !== undefined && text !== "") {
    return { kind: "disk", directory: resolve(workingDirectory, text) };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (isPlain && scheme === "file" && url.host === "") {
    return { kind: "disk", directory: resolve(fileURLToPath(url)) };
  }
  if (isPlain && scheme === "s3" && bucketName.test(url.host)) {
    const parts = decodeURIComponent(url.pathname).split("/");
    return { kind: "s3", bucket: url.host, prefix: parts.filter((part) => part !== "").join("/") };
  }
  throw new InputError(
    `Expected s3://bucket/prefix or a folder for --blobs but received ${
      scheme === undefined ? "nothing" : `something else that begins with ${scheme}://`
    }`,
    {
      hint:
        "Keys, region and endpoint of S3 come from the environment: AWS_ACCESS_KEY_ID, " +
        "AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL",
    },
  );
}

/** One text for one address, as a store keeps it. */
export const addressText = (address: BlobAddress): string =>
  address.kind === "disk"
    ? pathToFileURL(address.directory).href
    : `s3://${[address.bucket, ...(address.prefix === "" ? [] : [address.prefix])].join("/")}`;

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
