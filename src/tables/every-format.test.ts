import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { type BasicType, parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { tableOf } from "./bytes.js";
import { csvText } from "./cell-table.js";
import { optionalText, score, text } from "./columns.js";
import { rowsOf } from "./rows-of.js";
import { readTable } from "./table.js";

const kinds = { id: text, prompt: optionalText, correct: score, passed: score, whole: text };

interface Row {
  readonly id: string;
  readonly prompt: string | null;
  readonly correct: number | null;
  readonly passed: boolean | null;
  /** A whole number of 64 bits. */
  readonly whole: bigint;
}

const someText = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
    fc.constantFrom("a, b", 'say "x"', "x\ny", "=1+1", "'=1", "-a", "007", "é", "𝒳", " x ", "\\"),
  )
  // UTF-8 has no halves of pairs, a table no cell of spaces alone, and text no byte that is 0.
  .filter((each) => each.trim() !== "" && !/[\0\uFEFF]|\p{Surrogate}/u.test(each));

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    id: someText,
    prompt: fc.option(someText),
    correct: fc.option(
      fc.oneof(
        fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => (value === 0 ? 0 : value)),
        fc.integer(),
      ),
    ),
    passed: fc.option(fc.boolean()),
    whole: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  }),
  { minLength: 1, maxLength: 12 },
);

const json = (row: Row) =>
  JSON.stringify({ ...row, whole: "@" }).replace('"@"', () => String(row.whole));

const cells = ({ id, prompt, correct, passed, whole }: Row) => [
  id,
  prompt,
  correct,
  passed === null ? null : String(passed),
  String(whole),
];

const csv = (given: readonly Row[]) =>
  csvText({ columns: Object.keys(kinds), rows: given.map(cells) });

function tsv(given: readonly Row[]): string {
  const cellText = (cell: string | number | null) => {
    const plain = String(cell ?? "");
    return /["\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  return [Object.keys(kinds), ...given.map(cells)]
    .map((line) => line.map(cellText).join("\t"))
    .join("\n");
}

function parquet(given: readonly Row[]): Uint8Array {
  const column = (name: keyof Row, type: BasicType) => ({
    name,
    type,
    data: given.map((row) => row[name]),
  });
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        column("id", "STRING"),
        column("prompt", "STRING"),
        column("correct", "DOUBLE"),
        column("passed", "BOOLEAN"),
        column("whole", "INT64"),
      ],
      rowGroupSize: 5,
    }),
  );
}

const formats: Readonly<Record<string, (given: readonly Row[]) => string | Uint8Array>> = {
  "t.csv": csv,
  "t.tsv": tsv,
  "t.json": (given) => `[${given.map(json).join(",\n")}]`,
  "t.jsonl": (given) => given.map(json).join("\n"),
  "lines.json": (given) => given.map(json).join("\n"),
  "t.parquet": parquet,
};

async function read(name: string, content: string | Uint8Array) {
  const table = await readTable({ source: tableOf(name, content), shape: { kinds } });
  return [...rowsOf(table, kinds)];
}

it.each(Object.entries(formats))(
  "%s, packed or not, holds the rows that were written",
  async (name, write) => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const expected = given.map(({ passed, ...row }) => ({
          ...row,
          prompt: row.prompt ?? undefined,
          passed: passed === null ? null : Number(passed),
          whole: String(row.whole),
        }));
        // Lines of one row can't be told from a document.
        if (name === "lines.json" && given.length < 2) return;
        const content = write(given);
        expect(await read(name, content)).toEqual(expected);
        expect(await read(`${name}.gz`, gzipSync(content))).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  },
);
