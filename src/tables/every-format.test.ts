import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { tableOf } from "./bytes.js";
import { csvText } from "./cell-table.js";
import { optionalText, score, text } from "./columns.js";
import { isNumberItem, listColumn } from "./list-column.js";
import { rowsOf } from "./shapes.js";
import { readTable } from "./table.js";
import { tableRows } from "./table-rows.js";

const kinds = {
  id: text,
  prompt: optionalText,
  correct: score,
  passed: score,
  whole: text,
  made: text,
  day: text,
  price: score,
  half: score,
  pixels: score,
  parts: listColumn({ isItem: isNumberItem, expected: "a list of numbers" }),
  left: score,
};
/** `left` is a member of `box`; CSV has a column `box.left`. */
const map = { left: "box.left" };

interface Row {
  readonly id: string;
  readonly prompt: string | null;
  readonly correct: number | null;
  readonly passed: boolean | null;
  /** A whole number of 64 bits. */
  readonly whole: bigint;
  readonly made: Date;
  readonly day: Date;
  /** In hundredths. */
  readonly price: number | null;
  /** Of 32 bits. */
  readonly half: number | null;
  /** Of 32 bits without a sign. */
  readonly pixels: number | null;
  readonly parts: readonly number[];
  readonly box: { readonly left: number | null };
}

const someText = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
    fc.constantFrom("a, b", 'say "x"', "x\ny", "=1+1", "'=1", "-a", "007", "é", "𝒳", " x ", "\\"),
  )
  // UTF-8 has no halves of pairs, a table no cell of spaces alone, and text no byte that is 0.
  .filter((each) => each.trim() !== "" && !/[\0\uFEFF]|\p{Surrogate}/u.test(each));

const someNumber = fc.oneof(
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => (value === 0 ? 0 : value)),
  fc.integer(),
);

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    id: someText,
    prompt: fc.option(someText),
    correct: fc.option(someNumber),
    passed: fc.option(fc.boolean()),
    whole: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    made: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }),
    day: fc.integer({ min: -20_000, max: 60_000 }).map((days) => new Date(days * 86_400_000)),
    price: fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100)),
    half: fc.option(
      fc.float({ noNaN: true, min: -(2 ** 20), max: 2 ** 20 }).map((value) => value + 0),
    ),
    pixels: fc.option(fc.nat({ max: 2 ** 32 - 1 })),
    parts: fc.array(someNumber, { minLength: 1, maxLength: 3 }),
    box: fc.record({ left: fc.option(someNumber) }),
  }),
  { minLength: 1, maxLength: 12 },
);

const dayOf = ({ day }: Row) => day.toISOString().slice(0, 10);

const json = (row: Row) =>
  JSON.stringify({ ...row, whole: "@", day: dayOf(row) }).replace('"@"', () => String(row.whole));

const columns = [
  ...["id", "prompt", "correct", "passed", "whole", "made", "day", "price", "half", "pixels"],
  ...["parts", "box.left"],
];
const cells = (row: Row) => [
  row.id,
  row.prompt,
  row.correct,
  row.passed === null ? null : String(row.passed),
  String(row.whole),
  row.made.toISOString(),
  dayOf(row),
  row.price,
  row.half,
  row.pixels,
  JSON.stringify(row.parts),
  row.box.left,
];

function tsv(given: readonly Row[]): string {
  const cellText = (cell: string | number | null) => {
    const plain = String(cell ?? "");
    return /["\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  return [columns, ...given.map(cells)].map((line) => line.map(cellText).join("\t")).join("\n");
}

const optional = { repetition_type: "OPTIONAL" } as const;
const schema: SchemaElement[] = [
  { name: "root", num_children: 12 },
  { name: "id", type: "BYTE_ARRAY", converted_type: "UTF8", ...optional },
  { name: "prompt", type: "BYTE_ARRAY", converted_type: "UTF8", ...optional },
  { name: "correct", type: "DOUBLE", ...optional },
  { name: "passed", type: "BOOLEAN", ...optional },
  { name: "whole", type: "INT64", ...optional },
  { name: "made", type: "INT64", converted_type: "TIMESTAMP_MILLIS", ...optional },
  { name: "day", type: "INT32", converted_type: "DATE", ...optional },
  { name: "price", type: "INT64", converted_type: "DECIMAL", scale: 2, precision: 18, ...optional },
  { name: "half", type: "FLOAT", ...optional },
  { name: "pixels", type: "INT32", converted_type: "UINT_32", ...optional },
  { name: "parts", converted_type: "LIST", num_children: 1, ...optional },
  { name: "list", num_children: 1, repetition_type: "REPEATED" },
  { name: "element", type: "DOUBLE", ...optional },
  { name: "box", num_children: 1, ...optional },
  { name: "left", type: "DOUBLE", ...optional },
];

function parquet(given: readonly Row[]): Uint8Array {
  const names = [
    ...(["id", "prompt", "correct", "passed", "whole", "made", "day", "price", "half"] as const),
    ...(["pixels", "parts", "box"] as const),
  ];
  const columnData = names.map((name) => ({ name, data: given.map((row) => row[name]) }));
  return new Uint8Array(parquetWriteBuffer({ schema, columnData, rowGroupSize: 5 }));
}

const formats: Readonly<Record<string, (given: readonly Row[]) => string | Uint8Array>> = {
  "t.csv": (given) => csvText({ columns, rows: given.map(cells) }),
  "t.tsv": tsv,
  "t.json": (given) => `[${given.map(json).join(",\n")}]`,
  "t.jsonl": (given) => given.map(json).join("\n"),
  "lines.json": (given) => given.map(json).join("\n"),
  "t.parquet": parquet,
};

async function inColumns(name: string, content: string | Uint8Array) {
  const table = await readTable({ source: tableOf(name, content), map, shape: { kinds } });
  return [...rowsOf(table, kinds)];
}

async function inRows(name: string, content: string | Uint8Array) {
  const found: unknown[] = [];
  for await (const { row } of tableRows({ source: tableOf(name, content), map, columns: kinds })) {
    found.push(row);
  }
  return found;
}

it.each(Object.entries(formats))(
  "%s, packed or not, holds the rows that were written, by column and by row",
  async (name, write) => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const expected = given.map(({ prompt, passed, whole, made, day, box, ...row }) => ({
          ...row,
          day: day.toISOString().slice(0, 10),
          prompt: prompt ?? undefined,
          passed: passed === null ? null : Number(passed),
          whole: String(whole),
          made: made.toISOString(),
          left: box.left,
        }));
        // Lines of one row can't be told from a document.
        if (name === "lines.json" && given.length < 2) return;
        const content = write(given);
        for (const read of [inColumns, inRows]) {
          expect(await read(name, content)).toEqual(expected);
          expect(await read(`${name}.gz`, gzipSync(content))).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  },
);
