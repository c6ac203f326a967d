// A trial of readers of tables: ours and those of npm, each in a process of its own, turn by turn, from the file's
// path to the same columns (texts as numbers of names, numbers as doubles). Do they find the same, how much
// processor time and memory does each take, and how large is it for a browser? Peers are installed beside the
// benches. --write writes the table in README.md; a file's name after it tries that file alone:
//   node bench/readers.mjs [--write] [plain.csv]

import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installPeer } from "./install-peer.mjs";
import { installPeers, python } from "./python-peer.mjs";
import { writeBetweenMarks } from "./written-table.mjs";

const turns = 3;
const peers = [
  "udsv@0.7.3",
  "papaparse@5.7.1",
  "parquet-wasm@0.8.0",
  "apache-arrow@21.2.0",
  "@duckdb/node-api@1.5.6-r.1",
];
const names = ["id", "metric", "domain", "prompt"];
const numbers = ["correct", "adversarial"];
/** Which readers read a file, by its ending. */
const readersOf = {
  csv: ["ours", "udsv", "papaparse", "DuckDB"],
  jsonl: ["ours", "JSON.parse a line", "DuckDB"],
  parquet: ["ours", "hyparquet by chunks", "parquet-wasm and apache-arrow", "DuckDB"],
};
const files = ["plain.csv", "quoted.csv", "rows.jsonl", "rows.parquet", "wide.csv"];

/** Columns that grow by a value each. */
class Columns {
  constructor(texts, measures) {
    this.texts = texts.map(() => ({ codes: [], names: new Map() }));
    this.measures = measures.map(() => []);
  }
  text(at, value) {
    const { codes, names } = this.texts[at];
    let code = names.get(value);
    if (code === undefined) {
      code = names.size;
      names.set(value, code);
    }
    codes.push(code);
  }
  number(at, value) {
    this.measures[at].push(value);
  }
  found() {
    return {
      names: this.texts.map(({ names }) => names.size),
      sums: this.measures.map((values) => Float64Array.from(values).reduce((a, b) => a + b, 0)),
    };
  }
}

const isWide = (path) => path.endsWith("wide.csv");
const textsOf = (path) => (isWide(path) ? ["id"] : names);
const numbersOf = (path) =>
  isWide(path) ? Array.from({ length: 59 }, (_, at) => `metric_${at}`) : numbers;

/** What each reader does, in a process of its own. */
const readers = {
  async ours(path) {
    const { readTable } = await import("../dist/tables/table.js");
    const { text, score } = await import("../dist/tables/columns.js");
    const { tableBytes } = await import("../dist/files/read-table.js");
    const kinds = Object.fromEntries([
      ...textsOf(path).map((name) => [name, text]),
      ...numbersOf(path).map((name) => [name, score]),
    ]);
    const source = await tableBytes({ name: path, path }, false);
    const { columns } = await readTable({ source, shape: { kinds } });
    return {
      names: textsOf(path).map((name) => columns[name].names.length),
      sums: numbersOf(path).map((name) => columns[name].reduce((a, b) => a + b, 0)),
    };
  },
  async udsv(path) {
    const { inferSchema, initParser } = await peer("udsv/dist/uDSV.mjs");
    const texts = textsOf(path);
    const columns = new Columns(texts, numbersOf(path));
    let parser;
    const decoder = new TextDecoder();
    const take = (row) => {
      for (let at = 0; at < texts.length; at++) columns.text(at, row[at]);
      for (let at = texts.length; at < row.length; at++) columns.number(at - texts.length, row[at]);
      return true;
    };
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
      const text = decoder.decode(chunk, { stream: true });
      parser ??= initParser(inferSchema(text));
      parser.chunk(text, parser.typedArrs, take);
    }
    parser.end();
    return columns.found();
  },
  async papaparse(path) {
    const { default: Papa } = await peer("papaparse/papaparse.js");
    const texts = textsOf(path);
    const columns = new Columns(texts, numbersOf(path));
    let isHeader = true;
    await new Promise((resolve, reject) => {
      Papa.parse(createReadStream(path, { highWaterMark: 1 << 18 }), {
        chunk({ data }) {
          for (const row of data) {
            if (isHeader || row.length < 2) {
              isHeader = false;
              continue;
            }
            for (let at = 0; at < texts.length; at++) columns.text(at, row[at]);
            for (let at = texts.length; at < row.length; at++)
              columns.number(at - texts.length, Number(row[at]));
          }
        },
        complete: resolve,
        error: reject,
      });
    });
    return columns.found();
  },
  async "JSON.parse a line"(path) {
    const columns = new Columns(names, numbers);
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const row = JSON.parse(line);
      for (const [at, name] of names.entries()) columns.text(at, row[name]);
      for (const [at, name] of numbers.entries()) columns.number(at, row[name]);
    }
    return columns.found();
  },
  async "hyparquet by chunks"(path) {
    const { asyncBufferFromFile, parquetRead } = await import("hyparquet");
    const { decompressZstd } = await import("hyparquet-compressors");
    const columns = new Columns(names, numbers);
    await parquetRead({
      file: await asyncBufferFromFile(path),
      compressors: { ZSTD: (packed) => decompressZstd(packed) },
      onChunk({ columnName, columnData }) {
        const text = names.indexOf(columnName);
        if (text >= 0) for (const value of columnData) columns.text(text, value);
        else for (const value of columnData) columns.number(numbers.indexOf(columnName), value);
      },
    });
    return columns.found();
  },
  async "parquet-wasm and apache-arrow"(path) {
    const { readParquet } = await peer("parquet-wasm/node/parquet_wasm.js");
    const arrow = await peer("apache-arrow/Arrow.node.mjs");
    const table = arrow.tableFromIPC(readParquet(readFileSync(path)).intoIPCStream());
    const columns = new Columns(names, numbers);
    for (const [at, name] of names.entries())
      for (const value of table.getChild(name)) columns.text(at, value);
    for (const [at, name] of numbers.entries())
      for (const value of table.getChild(name).toArray()) columns.number(at, value);
    return columns.found();
  },
  async DuckDB(path) {
    const { DuckDBInstance } = await peer("@duckdb/node-api/lib/index.js");
    const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    const texts = textsOf(path);
    const columns = new Columns(texts, numbersOf(path));
    const result = await connection.stream(`select * from '${path}'`);
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      for (let at = 0; at < chunk.columnCount; at++) {
        const values = chunk.getColumnValues(at);
        if (at < texts.length) for (const value of values) columns.text(at, value);
        else for (const value of values) columns.number(at - texts.length, value);
      }
    }
    return columns.found();
  },
};

const peerFolder = fileURLToPath(new URL("./.peers/readers/node_modules/", import.meta.url));
const peer = (path) => import(pathToFileURL(join(peerFolder, path)).href);

/** In a process of its own: prints what was found and what it took. */
async function readOnce(reader, path) {
  const start = performance.now();
  const found = await readers[reader](path);
  const seconds = (performance.now() - start) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const processor = (userCPUTime + systemCPUTime) / 1e6;
  console.log(JSON.stringify({ found, seconds, processor, peak: maxRSS / 1024 }));
  process.exit(0);
}

function compare(asked) {
  const reason = installPeers();
  const installed = installPeer("readers", [
    ["npm", "install", "--no-audit", "--no-fund", ...peers],
  ]);
  if (reason !== undefined || installed.skipped !== undefined) {
    console.log(`skipped: ${reason ?? installed.skipped}`);
    return;
  }
  const folder = process.env.TOUCHSTONE_BENCH_TABLES ?? join(tmpdir(), "touchstone-readers");
  if (!existsSync(join(folder, "wide.csv"))) {
    mkdirSync(folder, { recursive: true });
    spawnSync(python, [fileURLToPath(new URL("./readers_data.py", import.meta.url)), folder]);
  }
  const lines = [];
  for (const file of files.filter((name) => asked.length === 0 || asked.includes(name))) {
    const path = join(folder, file);
    const its = readersOf[file.split(".").at(-1)];
    const best = new Map(its.map((reader) => [reader, undefined]));
    let found;
    for (let turn = 0; turn < turns; turn++) {
      for (const reader of its) {
        const child = spawnSync(
          process.execPath,
          [fileURLToPath(import.meta.url), "once", reader, path],
          {
            encoding: "utf8",
          },
        );
        if (child.status !== 0) throw new Error(`${reader}, ${file}: ${child.stderr.slice(-500)}`);
        const once = JSON.parse(child.stdout);
        found ??= once.found;
        check(once.found, found, `${reader}, ${file}`);
        const before = best.get(reader);
        best.set(reader, {
          processor: Math.min(once.processor, before?.processor ?? once.processor),
          seconds: Math.min(once.seconds, before?.seconds ?? once.seconds),
          peak: Math.max(once.peak, before?.peak ?? 0),
        });
      }
    }
    const size = (statSync(path).size / 1e6).toFixed(0);
    for (const [reader, { processor, seconds, peak }] of best) {
      const cells = [
        `${file}, ${size} MB`,
        reader,
        processor.toFixed(2),
        seconds.toFixed(2),
        peak.toFixed(0),
      ];
      lines.push(`| ${cells.join(" | ")} |`);
      console.log(lines.at(-1));
    }
  }
  if (!process.argv.includes("--write")) return;
  const head = [
    "| file | reader | processor time (s) | time (s) | peak (MiB) |",
    "| --- | --- | ---: | ---: | ---: |",
  ];
  writeBetweenMarks("readers", [conditions(), "", ...head, ...lines].join("\n"));
}

const conditions = () =>
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} processors (${cpus()[0].model.trim()}), load ` +
  `${loadavg()[0].toFixed(1)}, Node ${process.version.slice(1)}, ${peers.join(", ")}. Least time and most memory of ` +
  `${turns} turns, each a process of its own.`;

function check({ names, sums }, expected, whose) {
  const areSame =
    JSON.stringify(names) === JSON.stringify(expected.names) &&
    sums.every((sum, at) => Math.abs(sum - expected.sums[at]) < 1e-6 * Math.abs(sum));
  if (!areSame) throw new Error(`${whose}: found other values`);
}

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
if (words[0] === "once") await readOnce(words[1], words[2]);
else compare(words);
