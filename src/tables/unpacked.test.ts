import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { tableOf } from "./bytes.js";
import { score, text } from "./columns.js";
import { compressors } from "./parquet.js";
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

test("a page of Parquet may be packed in several frames", () => {
  const twice = compressors.ZSTD?.(Buffer.concat([zstandard, zstandard]), 2 * csv.length);
  expect(Buffer.from(twice ?? []).toString()).toBe(csv + csv);
});

/** Blocks of Zstandard that repeat one byte: 4 bytes each that unfold to 128 KB. */
function zstandardBomb(blocks: number): Buffer {
  const block = Buffer.from("00000061", "hex");
  block.writeUIntLE((131_072 << 3) | 2, 0, 3);
  return Buffer.concat([
    Buffer.from("28b52ffd0038", "hex"),
    ...Array.from({ length: blocks }, () => block),
  ]);
}

test("a small file that unfolds to more than can be held is refused by name before it does", async () => {
  const bomb = zstandardBomb(10_000);
  expect(bomb.length).toBeLessThan(50_000);
  await expect(read("t.csv.zst", bomb)).rejects.toThrow(/at most 1 GB.*t\.csv\.zst/);
});

test.each([
  ["t.csv", "id,a\nx,", "a"],
  ["t.csv", 'id,a\n"', "a\n"],
  ["t.csv", "", "a"],
  ["t.jsonl", '{"id":"x","a":1}\n', " "],
])("a row without end is refused while it comes: %s %j", async (name, start, more) => {
  let chunks = 0;
  const source = {
    ...tableOf(name, ""),
    async *open() {
      yield Buffer.from(start);
      for (; chunks < 200; chunks++) yield Buffer.from(more.repeat(1_000_000 / more.length));
    },
  };
  const rows = async () => {
    for await (const _ of tableRows({ source, columns: { id: text, a: score } }));
  };
  const error = await rows().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect(chunks).toBeLessThan(40);
});

test("names without end are refused", async () => {
  const row = Object.fromEntries(Array.from({ length: 16_500 }, (_, at) => [`b${at}`, 1]));
  const lines = [
    { id: "x", a: 1 },
    { id: "x", ...row },
  ].map((each) => JSON.stringify(each));
  await expect(read("t.jsonl", Buffer.from(lines.join("\n")))).rejects.toThrow("16384 columns");
});
