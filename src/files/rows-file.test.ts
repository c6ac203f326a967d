import { expect, test } from "vitest";
import { numeric, optionalText } from "../tables/columns.js";
import { tableRows } from "../tables/table-rows.js";
import { parquetBytes } from "./rows-file.js";

const columns = ["id", "n", "rate", "none", "mixed"];
const rows = [
  ["a", 1, 0.1 + 0.2, null, 1],
  ["=é", null, 5e-324, null, "x"],
  [null, -(2 ** 31), -0, null, null],
];

async function read(bytes: Uint8Array) {
  const source = { name: "rows.parquet", format: "parquet", open: () => one(bytes) } as const;
  const kinds = { id: optionalText, n: numeric, rate: numeric };
  const found = [];
  for await (const { all } of tableRows({ source, columns: kinds })) found.push(all);
  return found;
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}

test("a table comes back to the last digit, nothing as nothing", async () => {
  expect(await read(await parquetBytes({ columns, rows }))).toEqual([
    { id: "a", n: 1, rate: 0.30000000000000004, none: null, mixed: "1" },
    { id: "=é", n: null, rate: 5e-324, none: null, mixed: "x" },
    { id: null, n: -2147483648, rate: -0, none: null, mixed: null },
  ]);
});

test("so do ten thousand rows, over several groups", async () => {
  const many = Array.from({ length: 10_000 }, (_, at) => [`row ${at}`, at, at / 7]);
  const found = await read(await parquetBytes({ columns: ["id", "n", "rate"], rows: many }));
  expect(found.map(({ id, n, rate }) => [id, n, rate])).toEqual(many);
});
