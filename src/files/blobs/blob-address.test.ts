import { expect, test } from "vitest";
import { addressText, blobAddress } from "./blob-address.js";

const from = { workingDirectory: "/base" };

test.each([
  ["s3://images", "s3://images"],
  ["s3://images/", "s3://images"],
  ["s3://images/runs//demo/", "s3://images/runs/demo"],
  ["file:///mnt/images", "file:///mnt/images"],
  ["/mnt/images", "file:///mnt/images"],
  ["shared/a b", "file:///base/shared/a%20b"],
])("%s is one place, however it is written", (text, address) => {
  expect(addressText(blobAddress(text, from))).toBe(address);
  expect(addressText(blobAddress(address))).toBe(address);
});

test.each([
  "s3://key:secret-secret@images/runs",
  "s3://images/runs?secret=secret-secret",
  "s3://Not_A_Bucket/runs",
  "https://secret-secret/images",
  "file://host/images",
  "",
])("%s is refused, and nothing of it is shown", (text) => {
  const parsed = () => blobAddress(text, from);
  expect(parsed).toThrow("Expected s3://bucket/prefix or a folder for --blobs");
  expect(parsed).not.toThrow("secret-secret");
});
