import { expect, it, test } from "vitest";
import { InputError } from "../core/errors.js";
import { tableOf } from "./bytes.js";
import { answer, optionalText, score, text } from "./columns.js";
import { rowsOf } from "./shapes.js";
import { readTable, timesAsNumbers } from "./table.js";

const csv = (content: string) => tableOf("a.csv", content);

it("reads columns: texts by code, numbers with NaN for none", async () => {
  const kinds = { id: text, prompt: optionalText, correct: score };
  const table = await readTable({
    source: csv("id,correct,prompt\na,0.5,x\nb,,\na,1,x\n"),
    shape: { kinds },
  });
  expect(table.length).toBe(3);
  expect([...table.columns.id.codes]).toEqual([0, 1, 0]);
  expect(table.columns.id.names).toEqual(["a", "b"]);
  expect([...table.columns.prompt.codes]).toEqual([0, -1, 0]);
  expect([...table.columns.correct]).toEqual([0.5, Number.NaN, 1]);
  expect([table.place(1), table.rowName(1)]).toEqual(["line 3", "row 2"]);
  expect([...rowsOf(table, kinds)][1]).toEqual({ id: "b", prompt: undefined, correct: null });
});

it("reads names that are columns as rows of their own", async () => {
  const kinds = { item: optionalText, annotator: text, value: answer };
  const table = await readTable({
    source: csv("item,anna,ben\n,1,0\nx,,1\n"),
    shape: {
      kinds,
      rowNames: "item",
      sideBySide: {
        given: new Map([
          ["anna", ["anna"]],
          ["ben", ["ben"]],
        ]),
        name: "annotator",
        values: ["value"],
      },
    },
  });
  expect([...rowsOf(table, kinds)]).toEqual([
    { item: "row 1", annotator: "anna", value: 1 },
    { item: "row 1", annotator: "ben", value: 0 },
    { item: "x", annotator: "anna", value: null },
    { item: "x", annotator: "ben", value: 1 },
  ]);
});

it("finds the sides among the table's columns", async () => {
  const kinds = { id: text, metric: text, correct: score, adversarial: score };
  const table = await readTable({
    source: tableOf("a.jsonl", '{"id":"a","clip":{"right":2,"wrong":1}}\n{"id":"b"}\n'),
    shape: {
      kinds,
      sideBySide: {
        given: (columns) =>
          new Map([
            ["clip", ["right", "wrong"].map((side) => columns.find((one) => one.endsWith(side)))],
          ]),
        name: "metric",
        values: ["correct", "adversarial"],
      },
    },
  });
  expect([...rowsOf(table, kinds)]).toEqual([
    { id: "a", metric: "clip", correct: 2, adversarial: 1 },
    { id: "b", metric: "clip", correct: null, adversarial: null },
  ]);
});

it("reads columns for their numbers, and says what else stands in them", async () => {
  const table = await readTable({
    source: csv("id,clip,notes\na,0.5,x\nb,,\nc,n,71.2 %\n"),
    shape: { kinds: { id: text, clip: optionalText }, others: (column) => column !== "id" },
  });
  expect(table.columns.clip.names).toEqual(["0.5", "n"]);
  const [clip, notes] = table.others;
  expect([clip?.name, clip?.count, clip?.odd]).toEqual(["clip", 1, '"n" in line 4']);
  expect([notes?.name, notes?.count]).toEqual(["notes", 0]);
  expect(notes?.dressed).toEqual({ count: 1, first: '"71.2 %" in line 4' });
  expect([...(clip?.values ?? [])]).toEqual([0.5, Number.NaN, Number.NaN]);
});

it("has columns that are within others, joined or the file's name", async () => {
  const tableHas = async (column: string) => {
    const table = await readTable({
      source: tableOf("a.jsonl", '{"meta":{"id":0},"seed":1}\n{"meta":{"id":1},"seed":1}\n'),
      map: { id: column },
      shape: { kinds: { id: optionalText } },
    });
    return table.has("id");
  };
  for (const column of ["seed", "meta.id", "meta.id+seed", "filename"]) {
    expect(await tableHas(column), column).toBe(true);
  }
});

it("reads lists of numbers behind one another, a number as a list of one", async () => {
  const read = (cell: unknown) => ({ value: cell as number | readonly (number | null)[] | null });
  const kinds = { ratings: { holds: "lists", isRequired: false, read } as const };
  const { columns } = await readTable({
    source: tableOf("a.jsonl", '{"ratings":3}\n{"ratings":[1,null]}\n{"ratings":null}\n'),
    shape: { kinds },
  });
  expect([...columns.ratings.start]).toEqual([0, 1, 3, 3]);
  expect([...columns.ratings.values]).toEqual([3, 1, Number.NaN]);
  expect([...rowsOf({ length: 3, columns }, kinds)].map(({ ratings }) => ratings)).toEqual([
    [3],
    [1, null],
    null,
  ]);
});

it("says which rows a shape's check refuses", async () => {
  const request = readTable({
    source: csv("a,b\nx,y\nz,z\n"),
    shape: {
      kinds: { a: text, b: text },
      *check({ length, columns: { a, b } }) {
        for (let row = 0; row < length; row++) {
          if (a.names[a.codes[row] ?? -1] === b.names[b.codes[row] ?? -1])
            yield { row, problem: "Expected two models" };
        }
      },
    },
  });
  await expect(request).rejects.toBeInstanceOf(InputError);
  await expect(request).rejects.toHaveProperty("problems", [
    "Expected two models (in a.csv, line 3)",
  ]);
});

it("refuses a number that JSON doesn't know, on the quick way, too", async () => {
  const lines = [
    '{"id":"a","correct":1.5}',
    '{"id":"b","correct":0.5e1}',
    '{"id":"c","correct":1.e5}',
  ];
  const source = (count: number) => tableOf("a.jsonl", lines.slice(0, count).join("\n"));
  const shape = { kinds: { id: text, correct: score } };
  expect([...(await readTable({ source: source(2), shape })).columns.correct]).toEqual([1.5, 5]);
  const problem = await readTable({ source: source(3), shape }).catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(InputError);
  expect((problem as InputError).problems).toHaveLength(1);
});

it("names the columns whose numbers are text in any file", async () => {
  const texts = '{"id":"a","correct":"1"}\n{"id":"b","correct":"0"}\n';
  const source = [tableOf("a.jsonl", texts), tableOf("b.jsonl", '{"id":"c","correct":1}\n')];
  const shape = { kinds: { id: text, correct: score } };
  const problem = await readTable({ source, shape }).catch((error: unknown) => error);
  expect((problem as InputError).hint).toContain("Store correct as numbers");
});

it.each([
  [["a.png", "b.png"], "--map NAME=image.0"],
  [{ _type: "image-file", path: "a.png" }, "--map NAME=image.path"],
  [{ url: "https://a/b.png", width: 4 }, "--map NAME=image.url"],
  [{}, "Correct or remove"],
])("names the place of a text within %j", async (image, hint) => {
  const source = tableOf("a.jsonl", JSON.stringify({ image }));
  const problem = await readTable({ source, shape: { kinds: { image: text } } }).catch(
    (error: unknown) => error,
  );
  expect((problem as InputError).hint).toContain(hint);
});

it("tells texts of one block from those of the next where a name joins columns", async () => {
  const count = 20_000;
  const lines = Array.from({ length: count }, (_, at) => `i${at},m`);
  const table = await readTable({
    source: csv(`item,model\n${lines.join("\n")}`),
    map: { id: "item+model" },
    shape: { kinds: { id: text }, unique: ["id"] },
  });
  expect(table.columns.id.names).toEqual(lines.map((line) => line.replace(",", " + ")));
});

it("tells texts apart that rows which are passed over had first", async () => {
  const table = await readTable({
    source: csv("metric,split\na,train\nb,test\na,test\nb,test\n"),
    where: [
      { column: "split", value: "test", isNot: false },
      { column: "metric", value: "c", isNot: true },
    ],
    shape: { kinds: { metric: text } },
  });
  const { codes, names } = table.columns.metric;
  expect([...codes].map((code) => names[code])).toEqual(["b", "a", "b"]);
});

test.each([
  [[1_700_000_000, Number.NaN, 1_700_000_060], "1700000000 is 2023-11-14"],
  [[1_700_000_000_123, 1_700_000_000_456], "1700000000123 is 2023-11-14"],
])("%j are times", (values, said) => {
  expect(timesAsNumbers("created", values)).toBe(
    `created has times in place of scores: ${said}; name the column of scores`,
  );
});

test.each([
  [[1, 2, 3]],
  [[1_700_000_000, 5]],
  [[1_700_000_000.5]],
  [[1_700_000_000, 1_700_000_000_000]],
  [[Number.NaN]],
  [[1_234_567_890, 1_234_567_890]],
  [[3_912_040_112, 1_204_889_103, 2_400_000_001]],
])("%j are none", (values) => {
  expect(timesAsNumbers("created", values)).toBeUndefined();
});

test("a table says so of a column that is read as scores, and of no other", async () => {
  const told: string[] = [];
  const content = "item,created,score\na,1700000000,0.1\nb,1700000100,0.7\n";
  const read = (column: string) =>
    readTable({
      source: tableOf("a.csv", content),
      tell: (sentence) => told.push(sentence),
      shape: { kinds: { item: text, [column]: score } },
    });
  await read("score");
  expect(told).toEqual([]);
  await read("created");
  expect(told).toEqual([expect.stringContaining("created has times")]);
});
