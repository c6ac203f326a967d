import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tableBytes } from "../../src/files/read-table.js";
import { type ColumnKinds, numeric, optionalText, score } from "../../src/tables/columns.js";
import { isNumberItem, listColumn } from "../../src/tables/list-column.js";
import { rowsOf } from "../../src/tables/shapes.js";
import { readTable } from "../../src/tables/table.js";
import { tableRows } from "../../src/tables/table-rows.js";
import { pythonPackages } from "../support/python-packages.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const { folder: packages, missing } = await pythonPackages("tables-1", [
  "pandas==3.1.1",
  "pyarrow==26.0.1",
  "polars==2.1.0",
  "duckdb==2.0.1",
  "datasets==5.2.0",
]);

/** How each column is read; whole numbers beyond 2^53 as texts. */
const kinds: ColumnKinds = {
  id: optionalText,
  prompt: optionalText,
  kind: optionalText,
  score,
  half: score,
  tiny: score,
  count: score,
  unsigned: score,
  whole: optionalText,
  most: optionalText,
  passed: score,
  // JSON of polars has decimals as text, which a column that is asked for by name may be.
  price: numeric,
  long: optionalText,
  day: optionalText,
  made: optionalText,
  ratings: listColumn({ isItem: isNumberItem, expected: "a list of numbers" }),
  left: score,
  n: score,
};
const map = { left: "box.left", n: "box.n" };

const prompts = [
  "a, b",
  'say "x"',
  'a 27" screen',
  "x\ny",
  "=1+1",
  "'quoted",
  "-a",
  "007",
  "é",
  "𝒳",
  "NaN",
  "\\",
  "tab\there",
];
const rows = prompts.map((prompt, at) => ({
  id: String(2n ** 60n + BigInt(at)),
  prompt,
  kind: at % 4 === 3 ? null : `kind ${at % 2}`,
  score: at === 1 ? null : (at - 3) / 10,
  half: at === 2 ? null : at / 4,
  tiny: at === 3 ? null : at - 5,
  count: at === 4 ? null : 7 - at * 100_000,
  unsigned: at === 5 ? null : 2 ** 32 - 1 - at * 300_000_000,
  whole: at === 6 ? null : String(-(2n ** 63n) + BigInt(at)),
  most: at === 7 ? null : String(2n ** 64n - 1n - BigInt(at)),
  passed: at === 8 ? null : at % 3 === 0,
  price: at === 9 ? null : (at * 1.25).toFixed(2),
  long: at === 10 ? null : `1234567890123456789012345678${at % 10}`,
  day: at === 11 ? null : `2024-05-${String(at + 1).padStart(2, "0")}`,
  made: at === 12 ? null : `2024-05-01T10:00:00.00000${at % 10}`,
  ratings: at === 0 ? null : [at, 2 * at],
  box: { left: at === 1 ? null : at / 8, n: at },
}));

/** A row as all readers should give it. */
const expected = rows.map(
  ({ box, prompt, kind, passed, price, day, made, whole, most, long, ...row }) => ({
    ...row,
    prompt,
    kind: kind ?? undefined,
    passed: passed === null ? null : Number(passed),
    price: price === null ? null : Number(price),
    day: day ?? undefined,
    made: made ?? undefined,
    whole: whole ?? undefined,
    most: most ?? undefined,
    long: long ?? undefined,
    left: box.left,
    n: box.n,
  }),
);

/** A time to the microsecond, however it is written; a whole second or millisecond may end earlier. */
const timeOf = (text: string) => {
  const [, day, time, rest = ""] = /^(\S{10})[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?Z?$/.exec(text) ?? [];
  return `${day} ${time}.${rest.padEnd(6, "0").slice(0, 6)}`;
};
const comparable = (
  all: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
) =>
  all.map((row) =>
    Object.fromEntries(
      columns.map((name) => [
        name,
        name === "made" && typeof row.made === "string" ? timeOf(row.made) : row[name],
      ]),
    ),
  );

test.skipIf(missing !== undefined)(
  `one table as pandas, polars, DuckDB and datasets write it is the same rows${missing ? `: ${missing}` : ""}`,
  async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "rows.json"), JSON.stringify(rows));
    const script = fileURLToPath(new URL("write-tables.py", import.meta.url));
    execFileSync("python3", [script, folder], { env: { ...process.env, PYTHONPATH: packages } });
    const files: Record<string, string[]> = JSON.parse(
      await readFile(join(folder, "files.json"), "utf8"),
    );
    for (const [name, held] of Object.entries(files)) {
      const columns = held.flatMap((column) => (column === "box" ? ["left", "n"] : [column]));
      const own = Object.fromEntries(
        columns.map((column) => [column, kinds[column] ?? optionalText]),
      );
      const ownMap = columns.includes("left") ? map : {};
      const source = await tableBytes({ name, path: join(folder, name) }, false);
      const table = await readTable({ source, map: ownMap, shape: { kinds: own } });
      const wanted = comparable(expected, columns);
      expect.soft(comparable([...rowsOf(table, own)], columns), name).toEqual(wanted);
      const found: Readonly<Record<string, unknown>>[] = [];
      for await (const { row } of tableRows({ source, map: ownMap, columns: own })) found.push(row);
      expect.soft(comparable(found, columns), `${name}, by row`).toEqual(wanted);
    }
    expect(Object.keys(files).length).toBeGreaterThan(55);
  },
);
