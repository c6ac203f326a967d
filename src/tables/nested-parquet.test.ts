import { expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { score, text } from "./columns.js";
import { tableRows } from "./table-rows.js";

/** Written by pyarrow with LZ4: ids of 64 bits, a structure, lists of unlike lengths, booleans. */
const parquet = Buffer.from(
  "UEFSMRUEFSAVIEwVBBUAEgAAIAEAAQCgIAADAAAAAAAgABUAFRIVFCwVBBUQFQYVBhwAAACQAgAAAAQBAQMCFQQVIBUcTBUEFQASAAAiAwABAIAEAAAAAAAAABUAFRIVFCwVBBUQFQYVBhwAAACQAgAAAAQCAQMCFQQVMBUmTBUGFQASAAAiBAABABIFBwCQAAMAAAAAAAAAFQAVIBUkLBUGFRAVBhUGHAAAAPABAgAAAAMCAgAAAAYDAgMkABUAFQ4VECwVBBUAFQYVBhwAAABwAgAAAAMBARUEGYw1ABgGc2NoZW1hFQgAFQQlAhgCaWQANQIYBG1ldGEVAgAVBCUCGARzZWVkADUCGAdyYXRpbmdzFQIVBkw8AAAANQQYBGxpc3QVAgAVBCUCGAdlbGVtZW50ABUAJQIYBGdvb2QAFgQZHBlMJgAcFQQZNQAGEBkYAmlkFQ4WBBZ0FnYmRCYIKSwVBBUAFQIAFQAVEBUCADwpBhkmAAQAAAAmABwVBBk1AAYQGSgEbWV0YQRzZWVkFQ4WBBZ0FnImtgEmfiksFQQVABUCABUAFRAVAgA8KQYZNgAABAAAACYAHBUEGTUABhAZOAdyYXRpbmdzBGxpc3QHZWxlbWVudBUOFgYWkgEWjAEmsgIm8AEpLBUEFQAVAgAVABUQFQIAPCkmBAIZRgAAAAYAAAAmABwVABklBgAZGARnb29kFQ4WBBY0FjYm/AJJHBUAFQAVAgA8KQYZJgICAAAAFq4DFgQmCBaqAwAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGUwcAAAcAAAcAAAcAAAAmgEAAFBBUjE=",
  "base64",
);
const records = [
  { id: "9007199254740993", meta: { seed: 3 }, ratings: [4, 5], good: true },
  { id: "9007199254740995", meta: { seed: 4 }, ratings: [3], good: null },
];
const lines = records.map((row) => JSON.stringify(row).replace(/"(\d{16})"/, "$1")).join("\n");

test.each([
  ["t.parquet", parquet],
  ["t.jsonl", lines],
  ["t.json", `[${lines.replace("\n", ",")}]`],
])(
  "ids of 64 bits, structures, lists and booleans are the same in every format: %s",
  async (name, content) => {
    const columns = { id: text, seed: score, first: score, second: score, good: score };
    const map = { seed: "meta.seed", first: "ratings.0", second: "ratings.1" };
    const rows: unknown[] = [];
    for await (const { row } of tableRows({ source: tableOf(name, content), columns, map })) {
      rows.push({ ...row });
    }
    expect(rows).toEqual([
      { id: "9007199254740993", seed: 3, first: 4, second: 5, good: 1 },
      { id: "9007199254740995", seed: 4, first: 3, second: null, good: null },
    ]);
  },
);
