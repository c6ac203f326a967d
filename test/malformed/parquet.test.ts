import { expect, test } from "vitest";
import { InputError } from "../../src/core/errors.js";
import { readTable } from "../../src/files/read-table.js";
import { type ColumnKinds, score, text } from "../../src/tables/columns.js";
import { gzipTable, nanTable, snappyTable } from "../support/parquet-tables.js";

const columns = { id: text, metric: text, domain: text, correct: score, adversarial: score };

/** The rows, or the error for the user; any other error fails the test. */
async function read(
  bytes: Uint8Array,
  asked: ColumnKinds = columns,
): Promise<unknown[] | InputError> {
  async function* stream() {
    yield bytes;
  }
  const source = { name: "t.parquet", bytes: stream() };
  const rows: unknown[] = [];
  try {
    for await (const { row } of readTable({ source, format: "parquet", columns: asked }))
      rows.push(row);
    return rows;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

function changed(bytes: Uint8Array, at: number, to: (byte: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = to(copy[at] ?? 0);
  return copy;
}

const tables = [
  ["Snappy", snappyTable],
  ["gzip", gzipTable],
] as const;

test.each(tables)("%s: cut short anywhere, it is refused", async (_, whole) => {
  for (let length = 0; length < whole.length; length += 3) {
    expect(await read(whole.subarray(0, length)), `${length} bytes`).toBeInstanceOf(InputError);
  }
});

test.each(tables)("%s: with a piece missing, it is refused or read", async (_, whole) => {
  for (let at = 4; at < whole.length - 40; at += 11) {
    const rest = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 5)]);
    const found = await read(rest);
    if (!(found instanceof InputError)) expect(found.length).toBeLessThan(100);
  }
});

test.each(tables)("%s: with any byte changed, it ends in rows or one message", async (_, whole) => {
  const changes = [(byte: number) => byte ^ 0xff, (byte: number) => byte ^ 1, () => 0x7f];
  for (let at = 0; at < whole.length; at++) {
    for (const change of changes) {
      const found = await read(changed(whole, at, change));
      if (found instanceof InputError) expect(found.message).toContain("t.parquet");
    }
  }
});

test.each([0, 3, -1, -4])("another magic at byte %i is refused", async (at) => {
  const wrong = changed(snappyTable, (at + snappyTable.length) % snappyTable.length, () => 0x58);
  if (at < 0) expect(await read(wrong)).toBeInstanceOf(InputError);
});

test("a footer longer than the file is refused", async () => {
  const wrong = Buffer.from(snappyTable);
  wrong.writeUInt32LE(0x7fffffff, wrong.length - 8);
  expect(await read(wrong)).toBeInstanceOf(InputError);
});

test("integers beyond 2^53 stay exact", async () => {
  const at = snappyTable.indexOf(Buffer.from("0300000000000000", "hex"));
  const large = Buffer.from(snappyTable);
  large.writeBigInt64LE(2n ** 53n + 1n, at);
  const rows = await read(large);
  expect(rows).toMatchObject([{ id: "1" }, { id: "2" }, { id: "9007199254740993" }]);
});

test("a NaN is no answer", async () => {
  expect(await read(nanTable, { id: text, correct: score })).toEqual([{ id: "a", correct: null }]);
});
