import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readCsvBlocks } from "./csv-blocks.js";

/** The rows of CSV below a header of so many columns, as texts; what is wrong with others, by line. */
async function read(text: string, { cuts = [] as number[], columns = 2 } = {}) {
  const header = Array.from({ length: columns }, (_, at) => `c${at}`);
  const bytes = new TextEncoder().encode(`${header.join(",")}\n${text}`);
  const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
  async function* chunks() {
    for (let at = 1; at < places.length; at++) {
      const chunk = bytes.subarray(places[at - 1], places[at]);
      if (chunk.length > 0) yield chunk;
    }
  }
  const rows: string[][] = [];
  const bad: { line: number; problem: string }[] = [];
  const lines: number[] = [];
  for await (const block of readCsvBlocks(chunks(), { names: () => {}, column: () => ({}) })) {
    bad.push(...block.bad.map(({ line, problem }) => ({ line, problem })));
    for (let row = 0; row < block.count; row++) {
      rows.push(header.map((name) => String(block.columns.get(name)?.value(row))));
      lines.push(block.lines[row] ?? 0);
    }
  }
  return { rows, lines, bad };
}

/** Every text of these is a hard one. */
const nasty = fc
  .array(fc.constantFrom(",", '"', "\n", "\r\n", "a", "bc", " ", '"x"', '""', "é", '"x,y"'), {
    maxLength: 24,
  })
  .map((pieces) => pieces.join(""));

const peer = (text: string): string[][] | "refused" => {
  try {
    return parse(text, {
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch {
    return "refused";
  }
};

it("reads what csv-parse does, and refuses what it refuses", async () => {
  await fc.assert(
    fc.asyncProperty(nasty, async (text) => {
      const expected = peer(text);
      const { rows, bad } = await read(text);
      const isRefused = bad.some(({ problem }) => problem.includes("quotation"));
      // What begins with a quotation mark and ends with none is lax there, and wrong here.
      if (isRefused || expected === "refused") return;
      expect(rows).toEqual(expected.filter((fields) => fields.length === 2));
    }),
    { numRuns: 3000 },
  );
});

it("reads the same wherever the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(nasty, fc.array(fc.nat(40)), async (text, cuts) => {
      expect(await read(text, { cuts })).toEqual(await read(text));
    }),
    { numRuns: 1000 },
  );
});

it("knows the line on which a row starts", async () => {
  const { rows, lines } = await read('\r\n"x\ny",1\r\n\n2,"z""z"\n"x\ny",3');
  expect(rows).toEqual([
    ["x\ny", "1"],
    ["2", 'z"z'],
    ["x\ny", "3"],
  ]);
  expect(lines).toEqual([3, 6, 7]);
});

it("reads quotation marks in a field that begins with none", async () => {
  const { rows, bad } = await read('1,a 27" monitor\n2,a sign that says "hello" in blue\n');
  expect(rows.map(([, text]) => text)).toEqual([
    'a 27" monitor',
    'a sign that says "hello" in blue',
  ]);
  expect(bad).toEqual([]);
});

it("reads a carriage return within a line that ends otherwise", async () => {
  const { rows } = await read("1,a\rb\n2,c\r\n");
  expect(rows).toEqual([
    ["1", "a\rb"],
    ["2", "c"],
  ]);
});

it("refuses a quoted field with more behind it, and one that is not closed", async () => {
  expect((await read('1,"a"b\n2,c\n')).bad).toEqual([
    { line: 2, problem: expect.stringContaining("around a whole field") },
  ]);
  expect((await read('1,b\n2,"c\n')).bad).toEqual([
    { line: 3, problem: expect.stringContaining("closing quotation mark") },
  ]);
});
