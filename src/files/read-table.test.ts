import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { InputError } from "../core/errors.js";
import { optionalText, score, text } from "../tables/columns.js";
import { isAnswerItem, listColumn } from "../tables/list-column.js";
import { readTable, type TableRequest } from "./read-table.js";

const columns = { id: text, metric: text, prompt: optionalText, correct: score };
type Request = Partial<Omit<TableRequest<typeof columns>, "columns">>;

async function* streamOf(content: string | Uint8Array, size = 1 << 16) {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const inline = (content: string | Uint8Array, size?: number) => ({
  name: "t.csv",
  bytes: streamOf(content, size),
});

async function rowsOf(request: Request & Pick<TableRequest<typeof columns>, "source">) {
  const rows: unknown[] = [];
  for await (const { row, line } of readTable({ columns, ...request })) rows.push({ line, ...row });
  return rows;
}

async function errorOf(content: string | Uint8Array, request: Request = {}): Promise<InputError> {
  const error = await rowsOf({ source: inline(content), ...request }).catch((thrown) => thrown);
  if (!(error instanceof InputError)) throw new Error(`Expected an InputError but got ${error}`);
  return error;
}

const csv = "id,metric,prompt,correct\n1,m,p,0.5\n2,m,,\n";
const expected = [
  { line: 2, id: "1", metric: "m", prompt: "p", correct: 0.5 },
  { line: 3, id: "2", metric: "m", prompt: undefined, correct: null },
];

describe("CSV", () => {
  test("reads rows with their lines; an empty score is no score", async () => {
    expect(await rowsOf({ source: inline(csv) })).toEqual(expected);
  });

  test("is the same however the bytes arrive, with a byte order mark, CRLF or blank lines", async () => {
    const written = `\ufeff${csv.replaceAll("\n", "\r\n").replace("p,", '"p"" ü\n日本",')}\r\n`;
    for (const size of [1, 2, 3, 5, 1000]) {
      const rows = await rowsOf({ source: inline(written, size) });
      expect(rows).toEqual([
        { ...expected[0], prompt: 'p" ü\n日本' },
        { ...expected[1], line: 4 },
      ]);
    }
  });

  test("reads gzip of several members, such as bgzip writes, and refuses one that is cut", async () => {
    const source = (bytes: Buffer) => ({ name: "t.csv.gz", bytes: streamOf(bytes, 7) });
    const packed = [csv.slice(0, 5), csv.slice(5, 30), csv.slice(30)].map((part) => gzipSync(part));
    const whole = Buffer.concat(packed);
    expect(await rowsOf({ source: source(whole) })).toEqual(expected);
    const cut = rowsOf({ source: source(whole.subarray(0, -9)) });
    await expect(cut).rejects.toThrow(InputError);
  });

  test("takes tabs and semicolons where the header has no comma", async () => {
    for (const delimiter of ["\t", ";"]) {
      const rows = await rowsOf({ source: inline(csv.replaceAll(",", delimiter)) });
      expect(rows).toEqual(expected);
    }
  });

  test("names a column without a name by its place, as data frames write their index", async () => {
    const rows = [];
    const source = inline(",id,metric,correct\n0,1,m,0.5\n");
    for await (const { all } of readTable({ source, columns })) rows.push(all);
    expect(rows).toEqual([{ "column 1": "0", id: "1", metric: "m", correct: "0.5" }]);
  });

  test("numbers are read strictly, and all bad rows are listed", async () => {
    const bad = ["n.a.", "inf", "abc", "0x10", "1_000", "0,5", "1e999", "50%", "-nan", "1 2"];
    const good = ["-1", "+.5", "2.", "1e-3", "1E5", " 7 "];
    const lines = [...good, ...bad].map((cell, at) => `${at},m,,"${cell}"`);
    const { problems, message } = await errorOf(`id,metric,prompt,correct\n${lines.join("\n")}`);
    expect(message).toBe("Expected a sound table but found 10 problems in t.csv");
    expect(problems).toEqual(
      bad.map(
        (cell, at) =>
          `Expected a number or nothing for correct but received "${cell}" ` +
          `(in t.csv, line ${at + good.length + 2})`,
      ),
    );
  });

  test("numbers so large that their sum could be infinite are refused", async () => {
    const { problems } = await errorOf("id,metric,correct\n1,m,1e300\n2,m,-1.1e300\n3,m,1e308\n");
    const wanted =
      "Expected a number of ordinary size (from -1e300 to 1e300) or nothing for correct";
    expect(problems).toEqual([
      `${wanted} but received "-1.1e300" (in t.csv, line 3)`,
      `${wanted} but received "1e308" (in t.csv, line 4)`,
    ]);
  });

  test("a row with too few or too many fields is named, and so is broken quoting", async () => {
    const ragged = await errorOf("id,metric,correct\n1,m\n2,m,1,1\n3,m,1\n");
    expect(ragged.problems).toEqual([
      "Expected 3 fields, as in the header, but received 2 (in t.csv, line 2)",
      "Expected 3 fields, as in the header, but received 4 (in t.csv, line 3)",
    ]);
    expect(ragged.hint).toContain("Correct or remove");
    const named = await errorOf('"id","metric","correct"\n"1",7,"m",1\n"2",8,"m",0\n');
    expect(named.hint).toContain("row.names = FALSE");
    const open = await errorOf('id,metric,correct\n1,m,1\n2,"m,1\n');
    expect(open.problems.join()).toMatch(/closing quotation mark/);
    const stray = await errorOf('id,metric,correct\n1,m,1\n2,"m"x,1\n');
    expect(stray.problems.join()).toMatch(/quotation marks around a whole field.*line 3/);
  });

  test("any text survives quoting", async () => {
    const cell = fc.string({ unit: "grapheme", minLength: 1 }).filter((value) => /\S/.test(value));
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1 }), async (prompts) => {
        const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const lines = prompts.map((prompt, id) => `${id},m,${quote(prompt)},1`);
        const source = inline(`id,metric,prompt,correct\n${lines.join("\n")}\n`, 7);
        const rows = await rowsOf({ source });
        expect(rows.map((row) => (row as { prompt: string }).prompt)).toEqual(prompts);
      }),
    );
  });
});

describe("JSONL", () => {
  const read = (content: string) => rowsOf({ source: inline(content), format: "jsonl" });

  test("reads objects with their lines; numbers as ids become text", async () => {
    const content =
      '{"id":1,"metric":"m","prompt":"p","correct":0.5}\n\n{"id":"2","metric":"m","correct":null}';
    expect(await read(content)).toEqual([{ ...expected[0], line: 1 }, expected[1]]);
    expect(await rowsOf({ source: inline(content, 3) })).toEqual(await read(content));
  });

  test("what is no object, no number or not there is listed", async () => {
    const { problems } = await errorOf(
      [
        '{"id":"1","metric":"m","correct":Infinity}',
        "[1]",
        '{"id":"2"',
        '{"id":"3","metric":"m","correct":"0.5"}',
        '{"id":"4","metric":"m"}',
        '{"id":"5","metric":"","correct":true}',
        '{"id":"6","metric":"m","correct":1e999}',
        '{"id":"7","correct":1}',
      ].join("\n"),
      { format: "jsonl" },
    );
    expect(problems).toEqual([
      "Infinity is not JSON; write null where there is no number (in t.csv, line 1)",
      "Expected a JSON object but received [1] (in t.csv, line 2)",
      'Expected a JSON object but received "{\\"id\\":\\"2\\""; it is cut short (in t.csv, line 3)',
      'Expected a number or nothing for correct but received "0.5" (in t.csv, line 4)',
      "Expected text for metric but received nothing (in t.csv, line 6)",
      "Expected a number or nothing for correct but received Infinity (in t.csv, line 7)",
      "Expected text for metric but the row has no such member (in t.csv, line 8)",
    ]);
  });

  test("numbers as text are one problem a column, beside what is no number at all", async () => {
    const cells = ["0.5", "0.25", "nope", "0.75"];
    const { problems, hint } = await errorOf(
      cells.map((correct, id) => JSON.stringify({ id, metric: "m", correct })).join("\n"),
      { format: "jsonl" },
    );
    expect(problems).toEqual([
      'Expected a number or nothing for correct but received text in 3 rows, such as "0.5" (in t.csv, line 1)',
      'Expected a number or nothing for correct but received "nope" (in t.csv, line 3)',
    ]);
    expect(hint).toContain("Store correct as numbers, and no answer as null");
  });

  test("a column that no row has is a missing column, not a bad row each", async () => {
    const error = await errorOf('{"id":"1","metric":"m","corect":1}\n', { format: "jsonl" });
    expect(error.message).toBe("Expected the column correct in t.csv but found id, metric, corect");
    expect(error.hint).toContain("--map correct=corect");
  });
});

describe("columns", () => {
  test("one that is missing is named with those that are there", async () => {
    const { message, hint } = await errorOf("id,metric,score\n1,m,1\n");
    expect(message).toBe("Expected the column correct in t.csv but found id, metric, score");
    expect(hint).toContain("--map correct=");
  });

  test("another name is mapped, also over a column of the asked name", async () => {
    const rows = await rowsOf({
      source: inline("id,metric,correct,mine\n1,m,9,0.5\n"),
      map: { correct: "mine" },
    });
    expect(rows).toMatchObject([{ correct: 0.5 }]);
  });

  test("a map to or from nothing is an error, even of a column that may be missing", async () => {
    const target = await errorOf(csv, { map: { corect: "x" } });
    expect(target.message).toContain("Expected one of id, metric, prompt, correct before =");
    expect(target.hint).toBe("Did you mean --map correct=x?");
    const origin = await errorOf(csv, { map: { prompt: "text" } });
    expect(origin.message).toContain("text (mapped to prompt)");
  });

  test("the column of the field's own name is offered where another was mapped to it", async () => {
    const { hint } = await errorOf("mine,metric,correct\n", {
      map: { id: "mine", correct: "right" },
    });
    expect(hint).toContain("--map correct=correct");
  });

  test("a column that is another field's, or one of several, is not offered", async () => {
    const map = { id: "mine" };
    expect((await errorOf("mine,metric\n1,m\n", { map })).hint).toContain("correct=my_column");
    expect((await errorOf("id,metric,one,two\n")).hint).toContain("correct=my_column");
    expect((await errorOf("mine,metric,score\n", { map })).hint).toContain("correct=score");
  });

  test("one name twice is an error", async () => {
    expect((await errorOf("id,metric,id\n")).message).toContain('"id" is there twice');
  });

  test("a row whose unique values stand elsewhere is named with the other", async () => {
    const { problems } = await errorOf("id,metric,correct\na,m,1\na,n,1\na,m,2\n", {
      unique: ["id", "metric"],
    });
    expect(problems).toEqual(['id "a" of metric "m" stands in line 2 already (in t.csv, line 4)']);
  });
});

test("nothing at all, or only a header, is an error", async () => {
  expect((await errorOf("")).message).toBe("Expected rows in t.csv but it has none");
  expect((await errorOf("id,metric,correct\n")).message).toContain("it has none");
});

test("words for nothing are no answer, which is said once the table was read", async () => {
  const told: string[] = [];
  const tell = (sentence: string) => told.push(sentence);
  const table = "id,metric,correct\n1,m,none\n2,m,N/A\nNA,m,-\n4,m,none\n5,m,0.5\n6,m,\n";
  const rows = await rowsOf({ source: inline(table), tell });
  expect(rows).toMatchObject([null, null, null, null, 0.5, null].map((correct) => ({ correct })));
  expect(told).toEqual(['Read as no answer: "none", "N/A" and "-" in correct (in t.csv).']);
  await rowsOf({ source: inline("id,metric,correct\n1,m,none\n"), unscored: ["none"], tell });
  expect(told).toHaveLength(1);
});

test.each([
  ["CSV", 'id,list\n1,"[0.5, ""n/a""]"\n2,"[null, 1]"\n3,\n'],
  ["JSONL", '{"id":1,"list":[0.5,"n/a"]}\n{"id":2,"list":[null,1]}\n{"id":3,"list":null}\n'],
])("words for nothing within lists are no answer in %s, and are said", async (_, content) => {
  const told: string[] = [];
  const list = listColumn({ isItem: isAnswerItem, expected: "a list of numbers" });
  const source = inline(content);
  const rows: unknown[] = [];
  const tell = (sentence: string) => told.push(sentence);
  for await (const { row } of readTable({ columns: { id: text, list }, source, tell })) {
    rows.push(row.list);
  }
  expect(rows).toEqual([[0.5, null], [null, 1], null]);
  expect(told.join()).toContain('"n/a" in list');
});

test("decimal commas are answered with how to write points", async () => {
  const { hint } = await errorOf('id,metric,correct\n1,m,"0,53"\n');
  expect(hint).toContain('pd.read_csv(…, decimal=",")');
});

describe("text that is not UTF-8", () => {
  test("is refused with byte, offset, line and a way to convert", async () => {
    const latin = Buffer.from("id,metric,correct\n1,caf\xe9,1\n", "latin1");
    for (const size of [1, 4, 100]) {
      const error = await rowsOf({ source: inline(latin, size) }).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toBe(
        "Expected UTF-8 text but received the byte 0xE9 at offset 23 (in t.csv, line 2)",
      );
      expect(error.hint).toContain("iconv -f WINDOWS-1252 -t UTF-8 t.csv");
    }
  });

  test("UTF-16 and a character cut off by the end are told", async () => {
    const wide = Buffer.from("\ufeffid,metric\n", "utf16le");
    expect((await errorOf(wide)).hint).toContain("iconv -f UTF-16");
    const cut = Buffer.from("id,metric,correct\n1,é", "utf8").subarray(0, -1);
    expect((await errorOf(cut)).message).toContain("0xC3 at offset 20");
  });
});

describe("files", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "table-"));
    await writeFile(join(folder, "scores.csv"), csv);
    await writeFile(join(folder, "scores.txt"), csv);
    await mkdir(join(folder, "folder.csv"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const read = (name: string, request: Request = {}) =>
    rowsOf({ source: { name, path: join(folder, name) }, ...request });

  test("are read by their ending, or as it is said", async () => {
    expect(await read("scores.csv")).toEqual(expected);
    expect(await read("scores.txt", { format: "csv" })).toEqual(expected);
    await expect(read("scores.txt")).rejects.toThrow(/\.jsonl, \.json, \.csv or \.parquet/);
  });

  test("one that is not there is named with the one that is meant", async () => {
    await expect(read("score.csv")).rejects.toMatchObject({
      code: "input",
      message: "Could not read score.csv: there is no such file or folder",
      hint: "Did you mean scores.csv?",
    });
  });

  test("a folder is no table", async () => {
    await expect(read("folder.csv")).rejects.toThrow("Expected a file but folder.csv is a folder");
  });

  // The superuser may read everything.
  test.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "one that may not be read is an error of the input, not of this program",
    async () => {
      await writeFile(join(folder, "closed.csv"), csv, { mode: 0o000 });
      await expect(read("closed.csv")).rejects.toMatchObject({
        code: "input",
        message: "Could not read closed.csv: the permission is missing",
      });
    },
  );
});

describe("a name that stands in several rows", () => {
  const kinds = { id: text, metric: text, value: score };
  const hintOf = async (lines: readonly string[], more: object = {}) => {
    const path = join(await temporaryDirectory(), "t.csv");
    await writeFile(path, lines.join("\n"));
    const request = {
      source: { name: "t.csv", path },
      columns: kinds,
      unique: ["id", "metric"] as const,
      ...more,
    };
    const read = async () => {
      const found = [];
      for await (const { row } of readTable(request)) found.push(row);
      return found;
    };
    return read().then(
      (rows) => ({ rows, hint: undefined }),
      (error: InputError) => ({ rows: undefined, hint: error.hint }),
    );
  };
  const doubled = [
    "id,model,note,metric,value",
    ...["1,a,w,m,0.1", "1,b,x,m,0.2", "2,a,y,m,0.3", "2,b,z,m,0.4"],
  ];

  test("is told apart by the column with the fewest values beside it, never by a score", async () => {
    const { hint } = await hintOf(doubled);
    expect(hint).toBe(
      "Nothing was computed. These rows of one metric are distinguished by id and model: --map id=id+model",
    );
    const { rows = [] } = await hintOf(doubled, { map: { id: "id+model" } });
    expect(rows.map(({ id }) => id)).toEqual(["1 + a", "1 + b", "2 + a", "2 + b"]);
  });

  test("is told apart by a column of ids alone, and by none where rows are the same", async () => {
    const ids = doubled.map((line, at) => `${line},${at === 0 ? "image_id" : `i${at}`}`);
    expect((await hintOf(ids)).hint).toContain("distinguished by image_id: --map id=image_id");
    const same = await hintOf(["id,metric,value,model", "1,m,2,a", "1,m,2,a"]);
    expect(same.hint).toContain("No column distinguishes these rows of one metric");
  });

  test("two columns are never one name for two pairs, and an empty one is none", async () => {
    const lines = ["id,model,metric,value", "a + b,c,m,1", "a,b + c,m,1"];
    const { rows = [] } = await hintOf(lines, { map: { id: "id+model" } });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
    const empty = await hintOf(["id,model,metric,value", "a,,m,1"], { map: { id: "id+model" } });
    expect(empty.rows).toBeUndefined();
    const missing = await hintOf(lines, { map: { id: "id+modle" } });
    expect(missing.rows).toBeUndefined();
  });

  test("of a stream, which can't be read again, the hint says how two columns are named", async () => {
    const bytes = (async function* () {
      yield Buffer.from(doubled.join("\n"));
    })();
    const { hint } = await hintOf([], { source: { name: "standard input", bytes }, format: "csv" });
    expect(hint).toContain("--map id=id+other");
  });
});

test.each([
  ["csv", "id,score\na,1e-400\n", "0, a number no nearer to it than 5e-324, or nothing"],
  ["csv", `id,score\na,-0.${"0".repeat(330)}7\n`, "no nearer to it than 5e-324"],
  ["jsonl", '{"id": "a", "score": 1e-400}\n', 'received "1e-400", which would be read as 0'],
  ["json", '[{"id": "a",\n"score": -1e-400}]', "read as 0 (in t, line 2)"],
] as const)("of %s %j, a number too near to 0 is no 0", async (format, content, said) => {
  const source = { name: "t", bytes: streamOf(content) };
  const read = async () => {
    for await (const _ of readTable({ source, format, columns: { id: text, score } })) {
      // Read to its end.
    }
  };
  const error = await read().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  const { message, problems } = error as InputError;
  expect([message, ...problems].join("\n")).toContain(said);
});
