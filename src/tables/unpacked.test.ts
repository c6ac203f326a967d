import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { tableOf } from "./bytes.js";
import { score, text } from "./columns.js";
import { tableRows } from "./table-rows.js";

const csv = "id,a\nx,0.5\ny,\n";

async function read(name: string, bytes: Uint8Array) {
  const rows: unknown[] = [];
  const source = tableOf(name, bytes);
  for await (const { row } of tableRows({ source, columns: { id: text, a: score } })) {
    rows.push({ ...row });
  }
  return rows;
}

/** As `zstd -c` of zstd 1.5 writes it. */
const zstandard = Buffer.from("KLUv/SQOcQAAaWQsYQp4LDAuNQp5LAruqAOb", "base64");

test.each([
  ["t.csv.gz", gzipSync(csv)],
  ["t.csv", gzipSync(csv)],
  ["t", gzipSync(csv)],
  ["two.csv.gz", Buffer.concat([gzipSync(csv.slice(0, 5)), gzipSync(csv.slice(5))])],
  ["t.csv.zst", zstandard],
])("a packed table is that table: %s", async (name, bytes) => {
  expect(await read(name, bytes)).toEqual([
    { id: "x", a: 0.5 },
    { id: "y", a: null },
  ]);
});

test.each([
  ["t.csv.gz", gzipSync(csv).subarray(0, 20)],
  ["t.csv.zst", zstandard.subarray(0, 9)],
])("one that is cut is refused by name: %s", async (name, bytes) => {
  await expect(read(name, bytes)).rejects.toThrow(InputError);
  await expect(read(name, bytes)).rejects.toThrow(name);
});
