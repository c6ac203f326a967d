import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { InputError } from "../../core/errors.js";

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
