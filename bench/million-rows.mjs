// A million contrastive rows from plain CSV, CSV with quoted prompts, JSONL and Parquet, beside pandas (pyarrow's
// readers, factorize, bincount) and polars (lazy scans, group_by) doing the same: are the counts right, how much
// processor time does it take, start included, and how much memory at its peak? Another number of rows may be given,
// --write writes the table in README.md:
//   node bench/million-rows.mjs [--write] [ROWS]

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeContrastiveRows } from "./contrastive-rows.mjs";
import { installPeers, python } from "./python-peer.mjs";
import { words, writeBetweenMarks } from "./written-table.mjs";

const turns = 3;

const [rows = 1_000_000] = words.map(Number);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const sayUsage =
  'data:text/javascript,process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = ' +
  'process.resourceUsage(); process.stderr.write("peak " + maxRSS + " seconds " + ' +
  '(userCPUTime + systemCPUTime) / 1e6 + "\\n") })';

const environment = {
  ...process.env,
  ...Object.fromEntries(
    ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"].map((name) => [name, "1"]),
  ),
};

/** The tables: a file's name, and how it is written; resolves to the counts that are right. */
const tables = {
  "plain.csv": (path) => writeContrastiveRows(path, rows),
  "quoted.csv": (path) => writeContrastiveRows(path, rows, { isQuoted: true }),
  "rows.jsonl": (path) => writeContrastiveRows(path, rows, { isQuoted: true }),
  async "rows.parquet"(path) {
    const lines = `${path}.jsonl`;
    const truth = await writeContrastiveRows(lines, rows, { isQuoted: true });
    const program = "import sys, polars as p; p.scan_ndjson(sys.argv[1]).sink_parquet(sys.argv[2])";
    const { status, stderr } = spawnSync(python, ["-c", program, lines, path], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return truth;
  },
};

/** Runs a command that says what it used at its end. */
function measured(name, command, its) {
  const { status, stdout, stderr } = spawnSync(command, its, {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: environment,
  });
  if (status !== 0) throw new Error(`${name}: exit ${status}: ${stderr.slice(0, 500)}`);
  const [, peak, seconds] = /peak (\d+) seconds ([\d.]+)/.exec(stderr);
  return {
    ...JSON.parse(stdout),
    peak: Math.round(peak / 1024),
    seconds: Number(seconds),
  };
}

function check({ metrics }, truth, whose) {
  for (const [name, { n, failures }] of Object.entries(truth)) {
    const { n: found, failureRate } = metrics[name].overall;
    if (found !== n || Math.round(failureRate.value * n) !== failures) {
      throw new Error(`${whose}, ${name}: expected ${failures} failures of ${n}`);
    }
  }
}

const reason = installPeers();
if (reason !== undefined)
  console.log(`peers skipped: their packages can't be installed (${reason})`);
const folder = mkdtempSync(join(tmpdir(), "million-rows-"));
const asked = (path) => [
  "--import",
  sayUsage,
  here("../bin/touchstone"),
  "analyze",
  "contrastive",
  path,
  "--json",
];
const programs = {
  ours: [process.execPath, asked],
  ...(reason === undefined && {
    pandas: [python, (path) => [here("./million_rows_peer.py"), path]],
    polars: [python, (path) => [here("./million_rows_polars.py"), path]],
  }),
};
const lines = [];
try {
  for (const [file, write] of Object.entries(tables)) {
    if (reason !== undefined && file.endsWith(".parquet")) continue;
    const path = join(folder, file);
    const truth = await write(path);
    const size = (statSync(path).size / 1e6).toFixed(0);
    const best = new Map();
    for (let turn = 0; turn < turns; turn++) {
      for (const [name, [command, its]] of Object.entries(programs)) {
        const { metrics, seconds, peak } = measured(name, command, its(path));
        check({ metrics }, truth, name);
        const before = best.get(name) ?? { seconds, peak };
        best.set(name, {
          seconds: Math.min(seconds, before.seconds),
          peak: Math.max(peak, before.peak),
        });
      }
    }
    for (const [name, { seconds, peak }] of best) {
      const share = (best.get("ours").seconds / seconds).toFixed(2);
      lines.push(`| ${file}, ${size} MB | ${name} | ${seconds.toFixed(2)} | ${share} | ${peak} |`);
      console.log(lines.at(-1));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (process.argv.includes("--write") && reason === undefined) {
  const conditions =
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} processors (${cpus()[0].model.trim()}), load ` +
    `${loadavg()[0].toFixed(1)}, Node ${process.version.slice(1)}, pandas 2.3.3, pyarrow 26.0.1, polars 2.1.0, one thread ` +
    `each. Whole processes in turns: least processor time and most memory of ${turns}; counts equal.`;
  const head = [
    "| table | program | processor time (s) | ours / this | peak (MiB) |",
    "| --- | --- | ---: | ---: | ---: |",
  ];
  writeBetweenMarks("million-rows", [conditions, "", ...head, ...lines].join("\n"));
}
