import { expect, test } from "vitest";
import {
  gzipTable,
  nanTable,
  snappyTable,
  unsignedTable,
  zstandardTable,
} from "../../test/support/parquet-tables.js";
import { InputError } from "../core/errors.js";
import { score, text } from "../tables/columns.js";
import { readTable } from "./read-table.js";

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

const expected = [
  { line: 1, id: "1", metric: "m", domain: "animals", correct: 0.5, adversarial: 0.75 },
  { line: 2, id: "2", metric: "m", domain: "animals", correct: null, adversarial: 0.5 },
  { line: 3, id: "3", metric: "m", domain: "objects", correct: 0.25, adversarial: 0.125 },
];

test("reads integers, floats and nulls, and knows Parquet from a stream's first bytes", async () => {
  expect(await rowsOf(snappyTable, columns)).toEqual(expected);
});

test("unpacks gzip", async () => {
  expect(await rowsOf(gzipTable, columns)).toEqual(expected);
});

test("unpacks Zstandard", async () => {
  expect(await rowsOf(zstandardTable, columns)).toEqual(expected);
});

test("a damaged byte in what gzip packed is found by its checksum", async () => {
  const refused = await Promise.all(
    Array.from({ length: 24 }, async (_, at) => {
      const damaged = Uint8Array.from(gzipTable);
      damaged[30 + at] = (damaged[30 + at] ?? 0) ^ 255;
      return rowsOf(damaged, columns).then(
        (rows) => JSON.stringify(rows) === JSON.stringify(expected),
        (error: unknown) => error instanceof InputError,
      );
    }),
  );
  expect(refused).not.toContain(false);
});

test("a NaN is no answer", async () => {
  expect(await rowsOf(nanTable, { id: text, correct: score })).toEqual([
    { line: 1, id: "a", correct: null },
  ]);
});

test("a missing column is named with those that are there", async () => {
  await expect(rowsOf(nanTable, columns)).rejects.toThrow(
    "Expected the columns metric, domain, adversarial in standard input but found id, correct",
  );
});

test("a file cut short at any byte is refused, not half read", async () => {
  const whole = snappyTable;
  for (let length = 4; length < whole.length; length += 7) {
    await expect(rowsOf(whole.subarray(0, length), columns)).rejects.toThrow(
      /Expected a Parquet table/,
    );
  }
});

test("reads differences of 32 bits that are written without wrapping (DuckDB)", async () => {
  const found = await rowsOf(unsignedTable, { votes: score });
  expect(found).toEqual(
    [2415140493, 5, 4294967295, 0, 3000000000, 7, 2147483648, 2147483647, 1, 12].map(
      (votes, at) => ({ line: at + 1, votes }),
    ),
  );
});
