import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CsvError, Info } from "csv-parse";
import { plainText } from "./csv-text.js";
import { mostCharacters, type TableItem, tooLong } from "./format.js";

/**
 * Reads CSV with a header (RFC 4180; empty lines are passed over). Commas, tabs or semicolons
 * separate, whichever the header has most of, as spreadsheets write them in many countries; or what
 * a first line `sep=;` says, as some write for themselves.
 */
export async function* readCsvTable(text: AsyncIterable<string>): AsyncGenerator<TableItem> {
  const { CsvError, parse } = await import("csv-parse");
  const { start, rest } = await firstLine(text);
  const said = /^"?sep=(.)"?$/i.exec(start)?.[1];
  const parser = parse({
    delimiter: said ?? delimiterOf(start),
    from_line: said === undefined ? 1 : 2,
    info: true,
    max_record_size: mostCharacters,
    // Files that were put together end their lines in more than one way.
    record_delimiter: ["\r\n", "\n", "\r"],
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
        names = record.map((name, index) => plainText(name.trim()) || `column ${index + 1}`);
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
    values: Object.fromEntries(names.map((name, index) => [name, plainText(record[index] ?? "")])),
  };
}

/** The line on which a record starts: the parser tells where it ends. */
const lineOf = (record: readonly string[], info: Info) =>
  info.lines - record.reduce((breaks, field) => breaks + field.split("\n").length - 1, 0);

function problemOf({ code }: CsvError): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") {
    return "Expected a closing quotation mark but the file ended";
  }
  if (code === "CSV_MAX_RECORD_SIZE") return tooLong;
  return code === "INVALID_OPENING_QUOTE" || code === "CSV_INVALID_CLOSING_QUOTE"
    ? 'Expected quotation marks around a whole field, doubled ("") within it'
    : "Expected a line of CSV";
}

/** The text up to its first line end, and all of it again. */
async function firstLine(text: AsyncIterable<string>) {
  const iterator = text[Symbol.asyncIterator]();
  const pieces: string[] = [];
  for (let length = 0; length <= mostCharacters && !/[\r\n]/.test(pieces.at(-1) ?? ""); ) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    pieces.push(value);
    length += value.length;
  }
  const start = pieces.join("");
  async function* rest() {
    yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { start: start.split(/[\r\n]/, 1)[0] ?? "", rest: rest() };
}

/** What the header has most of outside quotation marks; a comma where it has none. */
function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const count = (delimiter: string) => bare.split(delimiter).length;
  return [",", "\t", ";"].reduce((most, each) => (count(each) > count(most) ? each : most));
}
