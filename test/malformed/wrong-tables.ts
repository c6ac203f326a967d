import { deflateSync, gzipSync } from "node:zlib";
import { type MalformedTable, refused, same } from "./malformed-table.js";
import { csvOf, jsonlOf, objectsOf, separated, type TableVerb, withCell } from "./verbs.js";

/** What can be wrong with any table, whatever its columns mean. */
export function wrongTables(verb: TableVerb): MalformedTable[] {
  return [...encodings(verb), ...shapes(verb), ...headers(verb), ...jsonl(verb), ...cells(verb)];
}

function encodings(verb: TableVerb): MalformedTable[] {
  const csv = csvOf(verb);
  const utf16 = Buffer.from(`\ufeff${csv}`, "utf16le");
  const file = "table.csv";
  const latin = csv.replace("\n", "\n\xe9");
  return [
    { name: "UTF-8 byte order mark", file, content: `\ufeff${csv}`, becomes: same },
    { name: "UTF-16 LE", file, content: utf16, becomes: refused(/Expected UTF-8/, 1) },
    {
      name: "UTF-16 BE",
      file,
      content: Buffer.from(utf16).swap16(),
      becomes: refused(/Expected UTF-8/, 1),
    },
    {
      name: "UTF-16 without a mark",
      file,
      content: utf16.subarray(2),
      becomes: refused(/a byte that is zero at offset 1 /, 1),
    },
    {
      name: "Latin-1 in the second line",
      file,
      content: Buffer.from(latin, "latin1"),
      becomes: refused(/Expected UTF-8 text but received the byte 0xE9/, 2),
    },
    {
      name: "Latin-1 after UTF-8",
      file,
      content: Buffer.concat([Buffer.from(csv), Buffer.from("ü,\n"), Buffer.from([0xfc, 10])]),
      becomes: refused(/0xFC/, verb.rows.length + 3),
    },
    {
      name: "zero bytes",
      file,
      content: `${csv}\0\0\0`,
      becomes: refused(/a byte that is zero/, verb.rows.length + 2),
    },
    { name: "gzip", file, content: gzipSync(csv), becomes: "the same" },
    {
      name: "gzip as JSONL",
      file: "t.jsonl",
      content: gzipSync(csv),
      becomes: refused(/Expected a JSON object/, 1),
    },
    {
      name: "zip",
      file,
      content: Buffer.concat([Buffer.from("PK\x03\x04\x14\0"), deflateSync(csv)]),
      becomes: refused(/zip archive, as workbooks/),
    },
    {
      name: "CSV named Parquet",
      file: "table.parquet",
      content: csv,
      becomes: refused(/Expected a Parquet table/),
    },
    {
      name: "Parquet named CSV",
      file,
      content: Buffer.from("PAR1\x15\0PAR1", "latin1"),
      becomes: refused(/is Parquet/),
    },
    {
      name: "an ending that says nothing",
      file: "table.txt",
      content: csv,
      becomes: refused(/Expected a \.jsonl, \.json, \.csv or \.parquet file/),
    },
  ];
}

function shapes(verb: TableVerb): MalformedTable[] {
  const { header, rows } = verb;
  const csv = csvOf(verb);
  const file = "table.csv";
  const lines = [header, ...rows];
  const [first = [], ...others] = rows;
  const quotedBreak = ["note", `"two\nlines"`, ...rows.slice(1).map(() => "")];
  return [
    { name: "nothing", file, content: "", becomes: refused(/Expected rows in table.csv but/) },
    { name: "only a mark", file, content: "\ufeff", becomes: refused(/Expected rows/) },
    { name: "only blank lines", file, content: "\n\n\r\n", becomes: refused(/Expected rows/) },
    {
      name: "only a header",
      file,
      content: separated([header]),
      becomes: refused(/Expected rows/),
    },
    { name: "CRLF", file, content: csv.replaceAll("\n", "\r\n"), becomes: same },
    {
      name: "mixed line ends",
      file,
      content: csv.replace(/(\n[^\n]*)\n/g, "$1\r\n"),
      becomes: same,
    },
    {
      name: "mixed line ends and a bad number",
      file,
      content: csvOf(withCell(verb, verb.number, "x")).replace("\n", "\r\n"),
      becomes: refused(/received "x"/, 3),
    },
    { name: "CR", file, content: csv.replaceAll("\n", "\r"), becomes: same },
    { name: "blank lines", file, content: `\n${csv.replaceAll("\n", "\n\n")}\n`, becomes: same },
    { name: "no last line end", file, content: csv.trimEnd(), becomes: same },
    { name: "tabs", file, content: separated(lines, "\t"), becomes: same },
    { name: "semicolons", file, content: separated(lines, ";"), becomes: same },
    {
      name: "a first line sep=;",
      file,
      content: `sep=;\r\n${separated(lines, ";", "\r\n")}`,
      becomes: same,
    },
    {
      name: "everything quoted",
      file,
      content: separated(lines.map((cells) => cells.map((cell) => `"${cell}"`))),
      becomes: same,
    },
    {
      name: "semicolons, commas in a quoted name",
      file,
      content: separated(
        lines.map((cells, at) => [...cells, at === 0 ? '"a, b, c, d, e, f, g, h, i"' : "x"]),
        ";",
      ),
      becomes: same,
    },
    {
      name: "line ends in quotes",
      file,
      content: separated(lines.map((cells, at) => [...cells, quotedBreak[at] ?? ""])),
      becomes: same,
    },
    {
      name: "a bad number after line ends in quotes",
      file,
      content: separated(
        [header, ...withCell(verb, verb.number, "x").rows].map((cells, at) => [
          ...cells,
          quotedBreak[at] ?? "",
        ]),
      ),
      becomes: refused(/received "?x"?/, 4),
    },
    {
      name: "a field too few",
      file,
      content: separated([header, first.slice(1), ...others]),
      becomes: refused(/fields, as in the header/, 2),
    },
    {
      name: "a field too many",
      file,
      content: separated([header, ...others, [...first, "more"]]),
      becomes: refused(/fields, as in the header/, rows.length + 1),
    },
    {
      name: "a quotation mark that is not closed",
      file,
      content: `${csv}"open`,
      becomes: refused(/closing quotation mark/),
    },
    {
      name: "a quotation mark within a field",
      file,
      content: csv.replace("\n", '\n"x"y'),
      becomes: refused(/quotation marks around a whole field/, 2),
    },
    ...(verb.mayRepeat === true
      ? []
      : [
          {
            name: "the same row twice",
            file,
            content: separated([...lines, first]),
            becomes: refused(/stands in line 2 already/, rows.length + 2),
          },
        ]),
  ];
}

function headers(verb: TableVerb): MalformedTable[] {
  const { header, rows } = verb;
  const file = "table.csv";
  const named = (names: readonly string[], more: readonly string[] = []) =>
    separated([names, ...rows.map((row) => [...row, ...more])]);
  const odd = ["__proto__", "constructor", "toString", "💡", "\u202eabc", "\u0007", "key"];
  const many = Array.from({ length: 10_000 }, (_, at) => `column-${at}`);
  return [
    {
      name: "spaces around the header's names",
      file,
      content: named(header.map((name) => ` ${name} `)),
      becomes: same,
    },
    {
      name: "the header in capitals",
      file,
      content: named(header.map((name) => name.toUpperCase())),
      becomes: refused(/Expected the columns .* but found [A-Z, ]+/),
    },
    {
      name: "no header",
      file,
      content: separated(rows),
      becomes: refused(/Expected (the columns|each column once)/),
    },
    {
      name: "a column twice",
      file,
      content: named([...header, verb.number], ["1"]),
      becomes: refused(/is there twice/),
    },
    {
      name: "a column missing",
      file,
      content: separated(
        [header, ...rows].map((cells) =>
          cells.filter((_, at) => at !== header.indexOf(verb.needs ?? verb.number)),
        ),
      ),
      becomes: refused(
        new RegExp(`Expected the column ${verb.needs ?? verb.number} in table.csv but found`),
      ),
    },
    {
      name: "columns with hostile names",
      file,
      content: named([...header, ...odd], odd),
      becomes: same,
    },
    {
      name: "10,000 columns more",
      file,
      content: named([...header, ...many], many),
      becomes: same,
    },
    {
      name: "a field of a million characters",
      file,
      content: named([...header, "note"], ["é".repeat(1_000_000)]),
      becomes: same,
    },
  ];
}

function jsonl(verb: TableVerb): MalformedTable[] {
  const objects = objectsOf(verb);
  const text = jsonlOf(objects);
  const file = "table.jsonl";
  const last = objects.length;
  const deep = (end: string) => `{"deep":${"[".repeat(100_000)}${end}`;
  const closed = `1${"]".repeat(100_000)}}`;
  const [first = {}, ...others] = objects;
  const deepRow = `${JSON.stringify(first).slice(0, -1)},"deep":${"[".repeat(1e5)}${"]".repeat(1e5)}}`;
  return [
    { name: "JSONL", file, content: text, becomes: same },
    {
      name: "JSONL with a mark and CRLF",
      file,
      content: `\ufeff${text.replaceAll("\n", "\r\n")}`,
      becomes: same,
    },
    {
      name: "JSONL with blank lines",
      file,
      content: `\n${text.replaceAll("\n", "\n \n")}`,
      becomes: same,
    },
    {
      name: "a JSON array",
      file: "table.json",
      content: JSON.stringify(objects, null, 2),
      becomes: same,
    },
    {
      name: "JSON named JSONL",
      file,
      content: JSON.stringify(objects, null, 2),
      becomes: refused(/Expected a JSON object but received "\["/, 1),
    },
    {
      name: "a whole array in a line of JSONL",
      file,
      content: JSON.stringify(objects),
      becomes: refused(/Expected a JSON object but received \[/, 1),
    },
    {
      name: "JSONL named JSON",
      file: "table.json",
      content: text,
      becomes: "the same",
    },
    {
      name: "JSON cut short",
      file: "table.json",
      content: JSON.stringify(objects, null, 1).slice(0, -9),
      becomes: refused(/Expected a JSON document/),
    },
    {
      name: "a comma after an object",
      file,
      content: text.replaceAll("}\n", "},\n"),
      becomes: refused(/Expected a JSON object/, 1),
    },
    {
      name: "a comma within an object",
      file,
      content: text.replace("}\n", ",}\n"),
      becomes: refused(/Expected a JSON object/, 1),
    },
    {
      name: "single quotation marks",
      file,
      content: text.replace('"', "'"),
      becomes: refused(/Expected a JSON object/, 1),
    },
    {
      name: "a last line cut short",
      file,
      content: text.slice(0, -4),
      becomes: refused(/Expected a JSON object/, last),
    },
    {
      name: "CSV named JSONL",
      file,
      content: csvOf(verb),
      becomes: refused(/Expected a JSON object/, 1),
    },
    { name: "JSONL named CSV", file: "table.csv", content: text, becomes: refused(/Expected /) },
    {
      name: "null in a line",
      file,
      content: `${text}null\n`,
      becomes: refused(/received nothing/, last + 1),
    },
    {
      name: "text in a line",
      file,
      content: `${text}"x"\n`,
      becomes: refused(/received "x"/, last + 1),
    },
    {
      name: "a member twice",
      file,
      content: text.replace("}\n", `,"${verb.number}":1}\n`),
      becomes: refused(new RegExp(`"${verb.number}" is there twice`), 1),
    },
    {
      name: "100,000 brackets not closed",
      file,
      content: `${text}${deep("")}\n`,
      becomes: refused(/Expected a JSON object/, last + 1),
    },
    {
      name: "100,000 brackets and nothing else",
      file,
      content: `${text}${deep(closed)}\n`,
      becomes: verb.mayLackAll
        ? { like: `${text}{"other":1}\n` }
        : refused(/no such member/, last + 1),
    },
    {
      name: "100,000 brackets in another member",
      file,
      content: [deepRow, ...others.map((each) => JSON.stringify(each))].join("\n"),
      becomes: same,
    },
    {
      name: "100,000 brackets in place of a number",
      file,
      content: `${text}${JSON.stringify({ ...first, [verb.number]: "deep" }).replace('"deep"', `${"[".repeat(1e5)}${"]".repeat(1e5)}`)}`,
      becomes: refused(/received an array/, last + 1),
    },
    {
      name: "members with hostile names",
      file,
      content: text.replaceAll(
        "}\n",
        ',"__proto__":{"a":1},"constructor":2,"💡":null,"hasOwnProperty":1}\n',
      ),
      becomes: same,
    },
    {
      name: "escaped names and quotation marks",
      file,
      content: text.replaceAll("}\n", ',"a\\"b\\\\":"c:\\"{\\\\"}\n'),
      becomes: same,
    },
    {
      name: "an array in place of a name",
      file,
      content: jsonlOf(
        objects.map((each, at) => (at === 1 ? { ...each, [verb.text]: ["x"] } : each)),
      ),
      becomes: refused(/but received \["x"\]/, 2),
    },
    {
      name: "an object in place of a number",
      file,
      content: jsonlOf(
        objects.map((each, at) => (at === 1 ? { ...each, [verb.number]: { a: 1 } } : each)),
      ),
      becomes: refused(/but received \{"a":1\}/, 2),
    },
    {
      name: "true in place of a number",
      file,
      content: jsonlOf(
        objects.map((each, at) => (at === 1 ? { ...each, [verb.number]: true } : each)),
      ),
      becomes: verb.refusesTrue
        ? refused(/but received "?true"?/, 2)
        : {
            like: jsonlOf(
              objects.map((each, at) => (at === 1 ? { ...each, [verb.number]: 1 } : each)),
            ),
          },
    },
    {
      name: "1e400 in JSON",
      file,
      content: jsonlOf(objectsOf(withCell(verb, verb.number, "@"))).replace('"@"', "1e400"),
      becomes: refused(/but received Infinity/, 2),
    },
    {
      name: "NaN in JSON",
      file,
      content: jsonlOf(objectsOf(withCell(verb, verb.number, "@"))).replace('"@"', "NaN"),
      becomes: {
        like: jsonlOf(objectsOf(withCell(verb, verb.number, "@"))).replace('"@"', "null"),
      },
    },
    {
      name: "-Infinity in JSON",
      file,
      content: jsonlOf(objectsOf(withCell(verb, verb.number, "@"))).replace('"@"', "-Infinity"),
      becomes: refused(/Infinity is not JSON/, 2),
    },
  ];
}

const wordsForNothing = ["#N/A", "None"];

/** Numbers as people and programs write them, each but the last in place of a sound one. */
function cells(verb: TableVerb): MalformedTable[] {
  const file = "table.csv";
  // Lists of probabilities know no words for a missing one.
  const hasWords = verb.number !== "probabilities";
  const bad = [
    "1e400",
    "Infinity",
    "-inf",
    '"0,5"',
    "0x1F",
    '"1,234.5"',
    "1_000",
    ...(verb.refusesTrue ? ["true", "FALSE"] : []),
    "50%",
    "$1",
    "1 2",
    "--1",
    "1e",
    ".",
    "½",
    "١",
    "=1+1",
    "1e-",
    ...(hasWords ? [] : wordsForNothing),
  ];
  const alike: [string, string][] = [
    ...(hasWords ? wordsForNothing.map((word): [string, string] => [word, "NA"]) : []),
    ["NaN", "NA"],
    ["nan", "NA"],
    ["null", "NA"],
    ...(verb.refusesTrue
      ? []
      : ([
          ["true", "1"],
          ["FALSE", "0"],
        ] as [string, string][])),
  ];
  return [
    ...alike.map(([cell, as]) => ({
      name: `${cell} as ${as}`,
      file,
      content: csvOf(withCell(verb, verb.number, cell)),
      becomes: { like: csvOf(withCell(verb, verb.number, as)) },
    })),
    ...bad.map((cell) => ({
      name: `${cell} as a number`,
      file,
      content: csvOf(withCell(verb, verb.number, cell)),
      becomes: refused(/^Expected .* but received "/, 3),
    })),
    {
      name: "numbers with spaces around",
      file,
      content: separated([
        verb.header,
        ...verb.rows.map((row) =>
          row.map((cell) => (typeof cell === "number" ? ` ${cell} ` : cell)),
        ),
      ]),
      becomes: same,
    },
    {
      name: "numbers with a sign and an exponent",
      file,
      content: separated([
        verb.header,
        ...verb.rows.map((row) =>
          row.map((cell) => (typeof cell === "number" ? `+${cell * 10}e-1` : cell)),
        ),
      ]),
      becomes: same,
    },
  ];
}
