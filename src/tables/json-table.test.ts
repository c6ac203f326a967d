import { describe, expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { readTable, type TableRequest } from "../files/read-table.js";
import { answer, type ColumnKinds, score, text } from "./columns.js";

async function read<const Kinds extends ColumnKinds>(
  content: unknown,
  request: Omit<TableRequest<Kinds>, "source">,
) {
  async function* bytes() {
    yield Buffer.from(typeof content === "string" ? content : JSON.stringify(content, null, 1));
  }
  const rows: unknown[] = [];
  const table = { source: { name: "t.json", bytes: bytes() }, format: "json", ...request } as const;
  for await (const { row } of readTable(table)) rows.push({ ...row });
  return rows;
}

async function errorOf(content: unknown, request: { rows?: string } = {}): Promise<InputError> {
  const error = await read(content, { columns: { a: score }, ...request }).catch(
    (thrown) => thrown,
  );
  if (!(error instanceof InputError)) throw new Error(`Expected an InputError but got ${error}`);
  return error;
}

describe("where rows stand", () => {
  test("an array's or an object's members; the latter are named by key", async () => {
    expect(await read([{ a: 1 }, { a: null }], { columns: { a: score } })).toEqual([
      { a: 1 },
      { a: null },
    ]);
    const columns = { id: text, a: score };
    expect(await read({ x: { a: 1 }, y: { a: 2 } }, { columns, map: { id: "key" } })).toEqual([
      { id: "x", a: 1 },
      { id: "y", a: 2 },
    ]);
  });

  test("names of columns and lists of values apart, as wandb and pandas write", async () => {
    const split = {
      columns: ["id", "a"],
      index: [0, 1],
      data: [
        ["x", 1],
        ["y", null],
      ],
    };
    expect(await read(split, { columns: { id: text, a: score } })).toEqual([
      { id: "x", a: 1 },
      { id: "y", a: null },
    ]);
    const ragged = { ...split, data: [["x", 1], ["y"]] };
    expect((await errorOf(ragged)).hint).toContain('orient="records"');
  });

  test("deeper, along a path with a star for every member; arrays have numbered columns", async () => {
    const content = { one: { models: { m: [5, 4], n: [3, 2] } }, two: { models: { m: [1, 1] } } };
    const rows = await read(content, {
      columns: { key: text, "1": score },
      rows: "*.models.*",
    });
    expect(rows).toEqual([
      { key: "one.m", 1: 4 },
      { key: "one.n", 1: 2 },
      { key: "two.m", 1: 1 },
    ]);
  });

  test("a cell may lie deeper; a column's own dots come first", async () => {
    const content = [{ a: { b: [7, 8] }, "c.d": 1, c: { d: 2 } }];
    const columns = { x: score, y: score };
    expect(await read(content, { columns, map: { x: "a.b.1", y: "c.d" } })).toEqual([
      { x: 8, y: 1 },
    ]);
    await expect(read(content, { columns, map: { x: "a.e", y: "c.d" } })).rejects.toThrow(
      "Expected the column a.e (mapped to x) in t.json",
    );
  });
});

test("lines in a .json are rows, as datasets and Spark write them", async () => {
  const content = '{"a":1}\n{"a":2}\n{}\n';
  expect(await read(content, { columns: { a: score } })).toEqual([{ a: 1 }, { a: 2 }, { a: null }]);
});

test.each(["json", "jsonl"] as const)("values and objects by their id: %s", async (format) => {
  const written = (document: Readonly<Record<string, unknown>>) =>
    format === "json"
      ? document
      : Object.entries(document)
          .map(([id, value]) => `${JSON.stringify({ [id]: value })}\n`)
          .join("");
  const columns = { id: text, a: score };
  const map = { id: "key", a: "value" };
  expect(await read(written({ x: 0.5, y: null }), { columns, map, format })).toEqual([
    { id: "x", a: 0.5 },
    { id: "y", a: null },
  ]);
  const objects = written({ x: { a: 1 }, y: { a: true } });
  expect(await read(objects, { columns, map: { id: "key" }, format })).toEqual([
    { id: "x", a: 1 },
    { id: "y", a: 1 },
  ]);
});

describe("errors", () => {
  test("say what was found, and where", async () => {
    expect((await errorOf('[{"a": 1},\n {"a": 2')).message).toMatch(
      /^Expected a JSON document .*line 2\)$/,
    );
    expect((await errorOf({ n: 2, results: [{ a: 1 }, { a: 2 }] })).hint).toContain(
      "--rows 'results.*'",
    );
    expect((await errorOf({ data: [{ a: 1 }] }, { rows: "rows.*" })).message).toBe(
      "Expected rows at rows.* in t.json but there are none",
    );
    expect((await errorOf("[]")).message).toBe("Expected rows in t.json but it has none");
    expect((await errorOf({ x: { a: 1 }, y: { a: "b" } })).problems).toEqual([
      'Expected a number or nothing for a but received "b" (in t.json, row 2, key y)',
    ]);
    expect((await errorOf([{ a: 1 }, 7])).problems).toEqual([
      "Expected an object or array for a row but received 7 (in t.json, row 2)",
    ]);
  });

  test("another format has no rows to point at", async () => {
    const request = { columns: { a: score }, format: "csv", rows: "*" } as const;
    await expect(read("a\n1\n", request)).rejects.toThrow("Expected a JSON document for --rows");
  });
});

test("words for no answer are one in every column that may be empty", async () => {
  const columns = { metric: text, label: answer, a: score };
  const content = [
    { metric: "tie", label: "tie", a: " NA " },
    { metric: "m", label: "1", a: 33 },
    { metric: "m", label: 0, a: 3 },
  ];
  const rows = await read(content, { columns, unscored: ["tie", "NA", "33"] });
  expect(rows).toEqual([
    { metric: "tie", label: null, a: null },
    { metric: "m", label: 1, a: null },
    { metric: "m", label: 0, a: 3 },
  ]);
});

const cells = [{ a: 1 }, { a: 2 }];
test.each([
  [
    "rows deeper in a document",
    { status: "ok", result: { rows: cells } },
    "--rows 'result.rows.*'",
  ],
  [
    "rows of Hugging Face's viewer",
    {
      features: [{ name: "a" }],
      rows: cells.map((row, at) => ({ row_idx: at, row })),
      partial: false,
    },
    "--rows 'rows.*.row'",
  ],
  ["pandas' split", { columns: ["a", "a"], index: [0], data: [[1, 2]] }, 'orient="records"'],
  ["pandas' table", { schema: { fields: [] }, data: cells }, "--rows 'data.*'"],
  ["pandas' table, without a flag", { schema: { fields: [] }, data: cells }, "jq -c '.data[]'"],
  [
    "names that jq must be told are names",
    { n: 1, a: { "b-c": cells } },
    `jq -c '.a."b-c"[]' t.json`,
  ],
  ["COCO's images", { images: cells, annotations: cells, categories: cells }, "join their files"],
  ["a print of Python", "[{'a': 1, 'b': None}]", "json.dump"],
])("the hint leads to %s", async (_, content, expected) => {
  expect((await errorOf(content)).hint).toContain(expected);
});

test.each([
  ['{"a": 1},', "remove the comma behind it"],
  ["{'a': 1}", "as Python prints objects"],
  ["[", "is read by --format json"],
  ['{"a": 1, "b', "it is cut short"],
  ['{"a": {"b": 1}, "c": "}', "it is cut short"],
  ['{"a": 1}]', 'received "{\\"a\\": 1}]" (in t.jsonl, line 1)'],
])("a line of JSONL %s is refused with the reason", async (line, reason) => {
  async function* bytes() {
    yield Buffer.from(`${line}\n`);
  }
  const source = { name: "t.jsonl", bytes: bytes() };
  const request = { source, format: "jsonl", columns: { a: score } } as const;
  const error = await readTable(request)
    .next()
    .catch((thrown) => thrown);
  expect(error.problems.join()).toContain(reason);
});
