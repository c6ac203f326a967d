import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CsvRecord, CsvRecords } from "./csv-records.js";

function read(pieces: readonly string[], delimiter = ","): CsvRecord[] {
  const records = new CsvRecords({ delimiter });
  return [...pieces.flatMap((piece) => [...records.take(piece)]), ...records.end()];
}

const rows = (text: string) =>
  read([text]).map((record) => (record.kind === "fields" ? record.fields : record.kind));

/** Every text of these is a hard one. */
const nasty = fc
  .array(fc.constantFrom(",", '"', "\n", "\r", "\r\n", "a", "bc", " ", '"x"', '""', "é"), {
    maxLength: 24,
  })
  .map((pieces) => pieces.join(""));

const peer = (text: string): string[][] | "refused" => {
  try {
    return parse(text, {
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch {
    return "refused";
  }
};

describe("records of CSV", () => {
  test("are those that csv-parse gives, or refused as there", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const found = read([text]);
        const isBad = found.some(({ kind }) => kind === "bad");
        expect(isBad ? "refused" : rows(text)).toEqual(peer(text));
      }),
      { numRuns: 3000 },
    );
  });

  test("don't depend on where the text is cut", () => {
    fc.assert(
      fc.property(nasty, fc.array(fc.nat(24)), (text, cuts) => {
        const places = [0, ...cuts.filter((at) => at < text.length).sort((a, b) => a - b)];
        const pieces = places.map((at, index) => text.slice(at, places[index + 1]));
        expect(read(pieces)).toEqual(read([text]));
      }),
    );
  });

  test("know the line on which they start", () => {
    const text = 'a,b\r\n\n"x\ny",1\r2,"z""z"\n';
    expect(read([text])).toEqual([
      { kind: "fields", line: 1, fields: ["a", "b"] },
      { kind: "fields", line: 3, fields: ["x\ny", "1"] },
      { kind: "fields", line: 5, fields: ["2", 'z"z'] },
    ]);
  });
});
