import { describe, expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { type TableBytes, tableOf } from "./bytes.js";
import { optionalText, score, text } from "./columns.js";
import { type RowsRequest, tableRows } from "./table-rows.js";

const columns = { id: text, prompt: optionalText, score };

async function read(
  source: readonly TableBytes[],
  request: Partial<RowsRequest<typeof columns>> = {},
) {
  const rows = [];
  for await (const { row, place, name, line } of tableRows({ columns, source, ...request })) {
    rows.push({ ...row, place, name, line });
  }
  return rows;
}

async function refusal(...given: Parameters<typeof read>): Promise<InputError> {
  const error = await read(...given).catch((thrown) => thrown);
  if (!(error instanceof InputError)) throw new Error(`Expected an InputError but got ${error}`);
  return error;
}

const a = tableOf("a.csv", "id,prompt,score\n1,p,0.5\n2,q,\n");

describe("several files are one table", () => {
  test("rows come file by file, each by its own line, whatever the order of the columns", async () => {
    const b = tableOf("b.csv", "score,id,prompt\n0.25,3,p\n");
    const c = tableOf("c.jsonl", '{"id":"4","score":1}\n');
    const rows = await read([a, b, c]);
    expect(rows.map(({ id, score }) => [id, score])).toEqual([
      ["1", 0.5],
      ["2", null],
      ["3", 0.25],
      ["4", 1],
    ]);
    expect(rows.map(({ place }) => place)).toEqual([
      "line 2 of a.csv",
      "line 3 of a.csv",
      "line 2 of b.csv",
      "line 1 of c.jsonl",
    ]);
  });

  test("a part without rows is passed over, but not all parts may be", async () => {
    const empty = tableOf("b.csv", "id,prompt,score\n");
    expect(await read([empty, a, tableOf("c.jsonl", "")])).toHaveLength(2);
    const { message } = await refusal([empty, empty]);
    expect(message).toBe("Expected rows in b.csv and 1 more file but it has none");
  });

  test.each([
    ["id,score\n3,1\n", "prompt is missing"],
    ["id,prompt,score,human\n3,p,1,1\n", "human is there, too"],
    ["id,text,score\n3,p,1\n", "prompt is missing, and text is there, too"],
  ])("a header that differs is refused: %j", async (content, problem) => {
    const { message } = await refusal([a, tableOf("b.csv", content)]);
    expect(message).toBe(`Expected the columns of a.csv in b.csv but ${problem}`);
  });

  test("a file without a column that is needed is named", async () => {
    const { message } = await refusal([a, tableOf("b.jsonl", '{"id":"3"}\n')]);
    expect(message).toContain("Expected the column score in b.jsonl");
  });

  test("bad rows of all files are listed, each with its file", async () => {
    const b = tableOf("b.csv", "id,prompt,score\n3,p,x\n,p,1\n");
    const { message, problems } = await refusal([a, b]);
    expect(message).toContain("2 problems in a.csv and 1 more file");
    expect(problems).toEqual([
      'Expected a number or nothing for score but received "x" (in b.csv, line 2)',
      "Expected text for id but received nothing (in b.csv, line 3)",
    ]);
  });

  test("a name that stands in two files is found, and the file's name tells them apart", async () => {
    const b = tableOf("b.csv", "id,prompt,score\n2,p,1\n2,p,1\n");
    const { problems, hint } = await refusal([a, b], { unique: ["id"] });
    expect(problems).toEqual([
      'id "2" stands in line 3 of a.csv already (in b.csv, line 2)',
      'id "2" stands in line 3 of a.csv already (in b.csv, line 3)',
    ]);
    expect(hint).toContain("No column distinguishes these rows");
    const once = tableOf("b.csv", "id,prompt,score\n2,q,1\n");
    const apart = await refusal([a, once], { unique: ["id"] });
    expect(apart.hint).toContain("--map id=id+filename");
    const map = { id: "id+filename" };
    const rows = await read([a, once], { unique: ["id"], map });
    expect(rows.map(({ id }) => id)).toEqual(["1 + a.csv", "2 + a.csv", "2 + b.csv"]);
  });
});

describe("filename", () => {
  test("is the file of a row, also where there is one file", async () => {
    const rows = await read([a], { map: { prompt: "filename" } });
    expect(rows.map(({ prompt }) => prompt)).toEqual(["a.csv", "a.csv"]);
  });

  test("is the column of that name, where there is one", async () => {
    const own = tableOf("b.csv", "id,filename,score\n1,cat.png,1\n");
    const [file] = await read([own], { map: { prompt: "_filename" } });
    expect(file).toMatchObject({ prompt: "b.csv" });
    const [row] = await read([own], { map: { prompt: "filename" } });
    expect(row?.prompt).toBe("cat.png");
  });
});
