import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../../src/core/errors.js";
import { tableOf } from "../../src/tables/bytes.js";
import { optionalText, score } from "../../src/tables/columns.js";
import { readTable } from "../../src/tables/table.js";
import { tableRows } from "../../src/tables/table-rows.js";

/** Written by pyarrow: six rows in two parts, by pages of both versions, in every encoding and packing. */
const folder = fileURLToPath(new URL("../fixtures/parquet/", import.meta.url));
const files = readdirSync(folder).map((name) => [name, readFileSync(folder + name)] as const);

const kinds = { id: optionalText, k: optionalText, n: optionalText, v: score, b: score };

async function inRows(bytes: Uint8Array): Promise<unknown[]> {
  const rows: unknown[] = [];
  const source = tableOf("t.parquet", bytes);
  for await (const { all } of tableRows({ source, columns: {} })) rows.push(all);
  return rows;
}

/** Reads by column and by row; any error that is none of the input fails. */
async function tried(bytes: Uint8Array): Promise<void> {
  const source = tableOf("t.parquet", bytes);
  const found = await Promise.allSettled([inRows(bytes), readTable({ source, shape: { kinds } })]);
  for (const each of found) {
    if (each.status === "rejected") expect(each.reason).toBeInstanceOf(InputError);
  }
}

test("every encoding and packing holds the same rows", async () => {
  const [first, ...others] = await Promise.all(files.map(([, bytes]) => inRows(bytes)));
  expect(first).toMatchObject([
    { id: "i0", k: "a", n: 1, v: 0.5, b: true, l: [1, 2], s: { a: 1, b: "x" } },
    { id: "i1", v: null, b: null, l: [] },
    { k: "b", n: 3, l: null },
    { k: null, n: null, l: [3] },
    { id: "i4", l: [4, 5, 6] },
    { id: "i5", k: "a", n: 6, v: 3, b: false, l: [7] },
  ]);
  for (const other of others) expect(other).toEqual(first);
});

test.each(files)("%s: with bytes changed it ends in rows or one message", async (_, whole) => {
  const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, bits] of changes) bytes[at] = (bytes[at] ?? 0) ^ bits;
      await tried(bytes);
    }),
    { numRuns: 100 },
  );
});

test("a run that is far longer than its page takes no memory", async () => {
  const [, whole] = files.find(([name]) => name === "v1-dictionary-unpacked.parquet") ?? [];
  const bytes = Buffer.from(whole ?? []);
  // The first page of data: four levels of one run (08 01), and behind them the places in the dictionary.
  const at = bytes.indexOf(Buffer.from("020000000801", "hex"));
  expect(at).toBeGreaterThan(0);
  Buffer.from("feffff7f01", "hex").copy(bytes, at + 4);
  await tried(bytes);
});
