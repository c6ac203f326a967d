import type { TextPiece } from "./ascii-text.js";
import { blankRow, setOwn } from "./blank-row.js";
import { CsvRecords } from "./csv-records.js";
import { plainText } from "./csv-text.js";
import { mostCharacters, type TableItem } from "./format.js";
import type { QuickRows } from "./quick-rows.js";

/**
 * Reads CSV with a header, a piece of text at a time. Commas, tabs or semicolons separate, whichever the header has most of, as
 * spreadsheets write them in many countries; or what a first line `sep=;` says, as some write for
 * themselves.
 */
export async function* readCsvTable(
  text: AsyncIterable<TextPiece>,
  quickly?: (names: readonly string[], delimiter: string) => QuickRows | undefined,
): AsyncGenerator<Iterable<TableItem>> {
  const { start, rest } = await firstLine(text);
  const said = /^"?sep=(.)"?$/i.exec(start)?.[1];
  const delimiter = said ?? delimiterOf(start);
  const records = new CsvRecords({ delimiter });
  let header: { readonly names: string[]; readonly blank: Record<string, unknown> } | undefined;
  function* items(found: ReturnType<CsvRecords["take"]>): Generator<TableItem> {
    for (const record of found) {
      if (record.kind !== "fields") yield record;
      else if (said !== undefined && record.line === 1) continue;
      else if (header === undefined) {
        const names = record.fields.map((name, at) => plainText(name.trim()) || `column ${at + 1}`);
        header = { names, blank: blankRow(names) };
        yield { kind: "columns", names };
        // Whoever was told the names has refused those that can't be read.
        records.quick = quickly?.(names, delimiter);
      } else yield itemOf(record.fields, record.line, header);
    }
  }
  for await (const piece of rest) yield items(records.take(piece));
  yield items(records.end());
}

function itemOf(
  fields: readonly string[],
  line: number,
  {
    names,
    blank,
  }: { readonly names: readonly string[]; readonly blank: Readonly<Record<string, unknown>> },
): TableItem {
  if (fields.length !== names.length) {
    const problem = `Expected ${names.length} fields, as in the header, but received ${fields.length}`;
    return { kind: "bad", line, problem };
  }
  const values = { ...blank };
  for (let at = 0; at < names.length; at++) {
    setOwn(values, names[at] ?? "", plainText(fields[at] ?? ""));
  }
  return { kind: "row", line, values };
}

/** The text up to its first line end, and all of it again. */
async function firstLine(text: AsyncIterable<TextPiece>) {
  const iterator = text[Symbol.asyncIterator]();
  const pieces: string[] = [];
  for (let length = 0; length <= mostCharacters && !/[\r\n]/.test(pieces.at(-1) ?? ""); ) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    const piece = value.slice(0);
    pieces.push(piece);
    length += piece.length;
  }
  const start = pieces.join("");
  async function* rest(): AsyncGenerator<TextPiece> {
    yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { start: start.split(/[\r\n]/, 1)[0] ?? "", rest: rest() };
}

/** Finds the separator most frequent in the header outside quotation marks; a comma where it has none. */
function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  const count = (delimiter: string) => bare.split(delimiter).length;
  return [",", "\t", ";"].reduce((most, each) => (count(each) > count(most) ? each : most));
}
