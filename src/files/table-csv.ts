import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, type Info, parse } from "csv-parse";
import type { TableItem } from "./table-format.js";

/**
 * Reads CSV with a header (RFC 4180; empty lines are passed over). Where the header has no comma,
 * tabs or semicolons separate, as spreadsheets write them in many countries.
 */
export async function* readCsvTable(text: AsyncIterable<string>): AsyncGenerator<TableItem> {
  const { start, rest } = await firstLine(text);
  const parser = parse({
    delimiter: delimiterOf(start),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const done = pipeline(Readable.from(rest), parser);
  // Its error is thrown by the loop below, too; unheard here it would end the process.
  done.catch(() => {});
  let names: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      if (names === undefined) {
        names = record.map((name, index) => name.trim() || `column ${index + 1}`);
        yield { kind: "columns", names };
      } else yield itemOf(record, lineOf(record, info), names);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { kind: "bad", line: Number(error.lines), problem: problemOf(error) };
  }
}

/** What csv-parse gives under `info: true`. */
interface Parsed {
  readonly record: readonly string[];
  readonly info: Info;
}

function itemOf(record: readonly string[], line: number, names: readonly string[]): TableItem {
  if (record.length !== names.length) {
    const problem = `Expected ${names.length} fields, as in the header, but received ${record.length}`;
    return { kind: "bad", line, problem };
  }
  return {
    kind: "row",
    line,
    values: Object.fromEntries(names.map((name, index) => [name, record[index]])),
  };
}

/** The line on which a record starts: the parser tells where it ends. */
const lineOf = (record: readonly string[], info: Info) =>
  info.lines - record.reduce((breaks, field) => breaks + field.split("\n").length - 1, 0);

function problemOf({ code }: CsvError): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") {
    return "Expected a closing quotation mark but the file ended";
  }
  return code === "INVALID_OPENING_QUOTE" || code === "CSV_INVALID_CLOSING_QUOTE"
    ? 'Expected quotation marks around a whole field, doubled ("") within it'
    : "Expected a line of CSV";
}

/** The text up to its first line end, and all of it again. */
async function firstLine(text: AsyncIterable<string>) {
  const iterator = text[Symbol.asyncIterator]();
  let start = "";
  while (!start.includes("\n")) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    start += value;
  }
  async function* rest() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { start: start.split("\n", 1)[0] ?? "", rest: rest() };
}

function delimiterOf(header: string): string {
  return [",", "\t", ";"].find((delimiter) => header.includes(delimiter)) ?? ",";
}
