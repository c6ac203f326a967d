import * as zlib from "node:zlib";
import { expect, test } from "vitest";
import { readTable } from "./table.js";
import { score, text } from "./table-columns.js";

const columns = { id: text, metric: text, domain: text, correct: score, adversarial: score };

async function rowsOf(bytes: Uint8Array, kinds: Record<string, typeof text | typeof score>) {
  async function* stream() {
    yield bytes.subarray(0, 3);
    yield bytes.subarray(3);
  }
  const rows: unknown[] = [];
  const source = { name: "standard input", bytes: stream() };
  for await (const { row, line } of readTable({ source, columns: kinds })) {
    rows.push({ line, ...row });
  }
  return rows;
}
const unpack = (packed: string) => Buffer.from(packed, "base64");

const expected = [
  { line: 1, id: "1", metric: "m", domain: "animals", correct: 0.5, adversarial: 0.75 },
  { line: 2, id: "2", metric: "m", domain: "animals", correct: null, adversarial: 0.5 },
  { line: 3, id: "3", metric: "m", domain: "objects", correct: 0.25, adversarial: 0.125 },
];

test("reads integers, floats and nulls, and knows Parquet from a stream's first bytes", async () => {
  expect(await rowsOf(unpack(snappyTable), columns)).toEqual(expected);
});

test("unpacks gzip", async () => {
  expect(await rowsOf(unpack(gzipTable), columns)).toEqual(expected);
});

test.runIf("zstdDecompressSync" in zlib)("unpacks Zstandard where Node can", async () => {
  expect(await rowsOf(unpack(zstandardTable), columns)).toEqual(expected);
});

test.skipIf("zstdDecompressSync" in zlib)("says so where Node can't unpack it", async () => {
  await expect(rowsOf(unpack(zstandardTable), columns)).rejects.toThrow(/ZSTD/);
});

test("a NaN is an error with its row, not an unscored one", async () => {
  await expect(rowsOf(unpack(nanTable), { id: text, correct: score })).rejects.toMatchObject({
    problems: [
      "Expected a number or nothing for correct but received NaN (in standard input, row 1)",
    ],
  });
});

test("a missing column is named with those that are there", async () => {
  await expect(rowsOf(unpack(nanTable), columns)).rejects.toThrow(
    "Expected the columns metric, domain, adversarial in standard input but found id, correct",
  );
});

test("a file cut short at any byte is refused, not half read", async () => {
  const whole = unpack(snappyTable);
  for (let length = 4; length < whole.length; length += 7) {
    await expect(rowsOf(whole.subarray(0, length), columns)).rejects.toThrow(
      /Expected a Parquet table/,
    );
  }
});

/** Written by Apache Arrow: the same three rows, packed in three ways, and one row with a NaN. */
const snappyTable = [
  "UEFSMRUAFTwVNiwVBhUAFQYVBhwAAAAeHAIAAAAGAQEACQEBDiwAAAAAAwAAAAAAAAAVABUqFS4sFQYVABUGFQYc",
  "AAAAFVACAAAABgEBAAAAbQEAAABtAQAAAG0VABVOFTwsFQYVABUGFQYcAAAAJ0ACAAAABgEHAAAAYW5pbWFsczoL",
  "ABhvYmplY3RzFQAVLBUwLBUGFQAVBhUGHAAAABZUAgAAAAMFAAAAAAAA4D8AAAAAAADQPxUAFSQVKCwVBhUAFQYV",
  "BhwAAAASRAIAAAAGAQAAQD8AAAA/AAAAPhUEGWw1ABgGc2NoZW1hFQoAFQQlAhgCaWQAFQwlAhgGbWV0cmljJQBM",
  "HAAAABUMJQIYBmRvbWFpbiUATBwAAAAVCiUCGAdjb3JyZWN0ABUIJQIYC2FkdmVyc2FyaWFsABYGGRwZXCYAHBUE",
  "GSUGABkYAmlkFQIWBhZiFlwmCEkcFQAVABUCADwpBhkmAAYAAAAmABwVDBklBgAZGAZtZXRyaWMVAhYGFlAWVCZk",
  "SRwVABUAFQIAPBYGGQYZJgAGAAAAJgAcFQwZJQYAGRgGZG9tYWluFQIWBhZ0FmImuAFJHBUAFQAVAgA8FioZBhkm",
  "AAYAAAAmABwVChklBgAZGAdjb3JyZWN0FQIWBhZSFlYmmgJJHBUAFQAVAgA8KQYZJgIEAAAAJgAcFQgZJQYAGRgL",
  "YWR2ZXJzYXJpYWwVAhYGFkoWTibwAkkcFQAVABUCADwpBhkmAAYAAAAWwgMWBiYIFrYDACggcGFycXVldC1jcHAt",
  "YXJyb3cgdmVyc2lvbiAyNi4wLjEZXBwAABwAABwAABwAABwAAACZAQAAUEFSMQ==",
].join("");

const gzipTable = [
  "UEFSMRUAFTwVRCwVBhUAFQYVBhwAAAAfiwgAAAAAAAIDY2JgYGBjZGSAACYozQylAb3ymmoeAAAAFQAVKhU+LBUG",
  "FQAVBhUGHAAAAB+LCAAAAAAAAgNjYmBgYGNkBJK5CAIAV6Hs2xUAAAAVABVOFVgsFQYVABUGFQYcAAAAH4sIAAAA",
  "AAACA2NiYGBgY2QHkol5mbmJOcVozPykrNTkkmIA8HO+7CcAAAAVABUsFUQsFQYVABUGFQYcAAAAH4sIAAAAAAAC",
  "A2NiYGBgZmUAgwf2EPqCPQDeo2VpFgAAABUAFSQVRCwVBhUAFQYVBhwAAAAfiwgAAAAAAAIDY2JgYGBjZGBwsAcy",
  "QNgOAKIMucoSAAAAFQQZbDUAGAZzY2hlbWEVCgAVBCUCGAJpZAAVDCUCGAZtZXRyaWMlAEwcAAAAFQwlAhgGZG9t",
  "YWluJQBMHAAAABUKJQIYB2NvcnJlY3QAFQglAhgLYWR2ZXJzYXJpYWwAFgYZHBlcJgAcFQQZJQYAGRgCaWQVBBYG",
  "FmIWaiYISRwVABUAFQIAPCkGGSYABgAAACYAHBUMGSUGABkYBm1ldHJpYxUEFgYWUBZkJnJJHBUAFQAVAgA8FgYZ",
  "BhkmAAYAAAAmABwVDBklBgAZGAZkb21haW4VBBYGFnQWfibWAUkcFQAVABUCADwWKhkGGSYABgAAACYAHBUKGSUG",
  "ABkYB2NvcnJlY3QVBBYGFlIWaibUAkkcFQAVABUCADwpBhkmAgQAAAAmABwVCBklBgAZGAthZHZlcnNhcmlhbBUE",
  "FgYWShZqJr4DSRwVABUAFQIAPCkGGSYABgAAABbCAxYGJggWoAQAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9u",
  "IDI2LjAuMRlcHAAAHAAAHAAAHAAAHAAAAJkBAABQQVIx",
].join("");

const zstandardTable = [
  "UEFSMRUAFTwVRiwVBhUAFQYVBhwAAAAotS/9IB7VAACQAgAAAAYBAQACAAMAAAAAAAAAAgBg4AFwARUAFSoVPCwV",
  "BhUAFQYVBhwAAAAotS/9IBWpAAACAAAABgEBAAAAbQEAAABtAQAAAG0VABVOFU4sFQYVABUGFQYcAAAAKLUv/SAn",
  "9QAAwAIAAAAGAQcAAABhbmltYWxzb2JqZWN0cwEA3ZUlFQAVLBU+LBUGFQAVBhUGHAAAACi1L/0gFrEAAAIAAAAD",
  "BQAAAAAAAOA/AAAAAAAA0D8VABUkFTYsFQYVABUGFQYcAAAAKLUv/SASkQAAAgAAAAYBAABAPwAAAD8AAAA+FQQZ",
  "bDUAGAZzY2hlbWEVCgAVBCUCGAJpZAAVDCUCGAZtZXRyaWMlAEwcAAAAFQwlAhgGZG9tYWluJQBMHAAAABUKJQIY",
  "B2NvcnJlY3QAFQglAhgLYWR2ZXJzYXJpYWwAFgYZHBlcJgAcFQQZJQYAGRgCaWQVDBYGFmIWbCYISRwVABUAFQIA",
  "PCkGGSYABgAAACYAHBUMGSUGABkYBm1ldHJpYxUMFgYWUBZiJnRJHBUAFQAVAgA8FgYZBhkmAAYAAAAmABwVDBkl",
  "BgAZGAZkb21haW4VDBYGFnQWdCbWAUkcFQAVABUCADwWKhkGGSYABgAAACYAHBUKGSUGABkYB2NvcnJlY3QVDBYG",
  "FlIWZCbKAkkcFQAVABUCADwpBhkmAgQAAAAmABwVCBklBgAZGAthZHZlcnNhcmlhbBUMFgYWShZcJq4DSRwVABUA",
  "FQIAPCkGGSYABgAAABbCAxYGJggWggQAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRlcHAAAHAAA",
  "HAAAHAAAHAAAAJkBAABQQVIx",
].join("");

const nanTable = [
  "UEFSMRUAFRYVFiwVAhUAFQYVBhwAAAACAAAAAgEBAAAAYRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgEAAAAAAAD4",
  "fxUEGTw1ABgGc2NoZW1hFQQAFQwlAhgCaWQlAEwcAAAAFQolAhgHY29ycmVjdAAWAhkcGSwmABwVDBklBgAZGAJp",
  "ZBUAFgIWPBY8JghJHBUAFQAVAgA8FgIZBhkmAAIAAAAmABwVChklBgAZGAdjb3JyZWN0FQAWAhZCFkImREkcFQAV",
  "ABUCADwpBhkmAAIAAAAWfhYCJggWfgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGSwcAAAcAAAA",
  "xQAAAFBBUjE=",
].join("");
