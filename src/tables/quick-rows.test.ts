import { array, assert, asyncProperty, constantFrom, nat, oneof, string } from "fast-check";
import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { Names } from "../core/names.js";
import type { TableBytes } from "./bytes.js";
import type { ColumnTable } from "./column-table.js";
import { oneOf, optionalText, probability, type RowOf, score, text } from "./columns.js";
import { wantedColumns } from "./header.js";
import { quickRows } from "./quick-rows.js";
import { rowReading } from "./read-row.js";
import { type RowsRequest, rowsTogether } from "./table-rows.js";

const columns = {
  id: text,
  metric: text,
  prompt: optionalText,
  missing: optionalText,
  correct: score,
  chance: probability,
  side: oneOf(["a", "b"]),
};

/** The bytes of a table, cut at some places. */
function pieces(content: string, cuts: readonly number[]): TableBytes {
  const bytes = new TextEncoder().encode(content);
  const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b)];
  return {
    name: "t.csv",
    async *open() {
      for (const [at, place] of places.entries()) yield bytes.slice(place, places[at + 1]);
    },
  };
}

/** The rows with their lines, and what is wrong with the table. */
async function read(
  source: TableBytes,
  request: Partial<RowsRequest<typeof columns>> & { readonly areBare: boolean },
) {
  const rows: { line: number; row: unknown }[] = [];
  try {
    const asked = { source, format: "csv", columns, unique: ["id", "metric"], ...request } as const;
    for await (const some of rowsTogether(asked)) {
      for (const { line, row } of some) rows.push({ line, row });
    }
    return { rows, problem: undefined };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { rows, problem: [error.message, error.hint, error.problems] };
  }
}

/** A table by column, which gives its rows as objects again. */
function columnTable() {
  const names = { id: new Names(), metric: new Names(), prompt: new Names(), missing: new Names() };
  const sides = new Names();
  const rows: unknown[] = [];
  const score = (value = Number.NaN) => (Number.isNaN(value) ? null : value);
  const nameOf = (its: Names, number = -1) => (number < 0 ? undefined : its.all[number]);
  const table: ColumnTable<RowOf<typeof columns>> = {
    names: { ...names, side: sides },
    add: (row) => rows.push(row),
    append(read, from, to) {
      for (let at = from; at < to; at++) {
        rows.push({
          id: nameOf(names.id, read.id?.[at]),
          metric: nameOf(names.metric, read.metric?.[at]),
          prompt: nameOf(names.prompt, read.prompt?.[at]),
          missing: nameOf(names.missing, read.missing?.[at]),
          correct: score(read.correct?.[at]),
          chance: score(read.chance?.[at]),
          side: nameOf(sides, read.side?.[at]),
        });
      }
    },
  };
  return { table, rows };
}

/** Rows that `read` gives, but for the lines, by way of such a table. */
async function readInto(source: TableBytes, request: Partial<RowsRequest<typeof columns>> = {}) {
  const { table, rows } = columnTable();
  try {
    const asked = { source, format: "csv", columns, unique: ["id", "metric"], ...request } as const;
    for await (const some of rowsTogether({ ...asked, into: table })) {
      for (const row of some) rows.push(row);
    }
    return { rows, problem: undefined };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { rows, problem: [error.message, error.hint, error.problems] };
  }
}

const withoutLines = ({ rows, problem }: Awaited<ReturnType<typeof read>>) => ({
  rows: rows.map(({ row }) => row),
  problem,
});

const cell = oneof(
  constantFrom("", "a", "b", "0.25", "-1.5e-3", "0.1234567890123456789", "NA", " 7 ", "1e-400"),
  constantFrom(
    "1e301",
    "inf",
    "'=x",
    "'",
    "é",
    "日本 語",
    "💡💡💡",
    '"a"',
    '"a ""b""\n,"',
    'a"',
    "\ufeff",
    "tie",
  ),
  string({ unit: constantFrom("a", "é", "💡", "1", ".", "-", "x"), maxLength: 4 }),
);
const sound = constantFrom("a", "b", "0.5", "1");
const ends = constantFrom("\n", "\n", "\r\n", "\r", "\n\n", "", ",\n");

/** Rows of sound cells, but for some. */
const table = array(
  array(oneof({ weight: 12, arbitrary: sound }, { weight: 1, arbitrary: cell }), {
    minLength: 7,
    maxLength: 7,
  }).chain((cells) =>
    oneof({ weight: 9, arbitrary: constantFrom("\n") }, { weight: 1, arbitrary: ends }).map(
      (end) => `${cells.slice(0, 5).join(",")},0.5,a${end}`,
    ),
  ),
  { maxLength: 12 },
).map((lines) => `id,metric,prompt,other,correct,chance,side\n${lines.join("")}`);

test("rows that are read where they stand are those that are read with care, in any pieces", async () => {
  await assert(
    asyncProperty(table, array(nat(300), { maxLength: 4 }), async (content, cuts) => {
      const careful = await read(pieces(content, []), { areBare: false });
      expect(await read(pieces(content, cuts), { areBare: true })).toEqual(careful);
      expect(await readInto(pieces(content, cuts))).toEqual(withoutLines(careful));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["semicolons", "id;metric;correct;chance;side\nx;m;0.5;1;a\ny;m;;1;b\n", {}],
  ["sep=", "sep=|\nid|metric|correct|chance|side\nx|m|0.5|1|a\n", {}],
  [
    "a field too many, with what stood in one quoted field before",
    'id,metric,correct,chance,side\n"x,y",m,0.5,1,a\nx,y,n,0.5,1,a\n',
    {},
  ],
  ["words for nothing", "id,metric,correct,chance,side\nx,m,tie,1,a\n", { unscored: ["tie"] }],
  ["a number for nothing", "id,metric,correct,chance,side\nx,m,-1,1,a\n", { unscored: ["-1"] }],
  ["another name", "id,metric,c,chance,side\nx,m,0.5,1,a\n", { map: { correct: "c" } }],
  ["one column twice", "id,metric,correct,side\nx,m,0.5,a\n", { map: { chance: "correct" } }],
  ["joined columns", "a,b,metric,correct,chance,side\nx,y,m,1,1,a\n", { map: { id: "a+b" } }],
  ["the file", "metric,correct,chance,side\nm,1,1,a\n", { map: { id: "filename" } }],
  ["twins", "id,metric,correct,chance,side\nx,m,1,1,a\nx,n,1,1,a\nx,m,1,1,a\n", {}],
] as const)("%s", async (_, content, request) => {
  const careful = await read(pieces(content, []), { ...request, areBare: false });
  expect(await read(pieces(content, []), { ...request, areBare: true })).toEqual(careful);
  expect(await readInto(pieces(content, []), request)).toEqual(withoutLines(careful));
  expect(careful.rows.length).toBeGreaterThan(0);
});

test("more words than are remembered", async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `id ${at},m${at % 3},${at / 7},1,b\n`);
  const content = `id,metric,correct,chance,side\n${lines.join("")}id 7,m1,0,0,a\n`;
  const careful = await read(pieces(content, [70_000]), { areBare: false });
  expect(await read(pieces(content, [70_000]), { areBare: true })).toEqual(careful);
  expect(await readInto(pieces(content, [70_000]))).toEqual(withoutLines(careful));
  expect(careful.problem?.[2]).toEqual([
    'id "id 7" of metric "m1" stands in line 9 already (in t.csv, line 20002)',
  ]);
});

test("sound rows need no more care, and none is read behind one that does", () => {
  const reading = rowReading(wantedColumns({ id: text, correct: score }, {}), new Set());
  const names = ["id", "other", "correct"];
  const quick = quickRows(names, { reading, unique: ["id"], delimiter: "," });
  const sound = "x,,0.1234567890123456\né,1,\r\ny, 7 ,-3\n";
  const found = quick?.read(`${sound}"z",1,1\nw,1,1\n`, 0, 2);
  expect(found?.next).toBe(sound.length);
  expect(found?.item).toMatchObject({
    kind: "quick",
    line: 2,
    rows: [
      { row: { id: "x", correct: 0.1234567890123456 } },
      { row: { id: "é", correct: null } },
      { row: { id: "y", correct: -3 } },
    ],
  });
});
