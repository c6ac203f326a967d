// A million contrastive rows from plain CSV, CSV with quoted prompts, JSONL and Parquet, beside pandas (pyarrow's
// readers, factorize, bincount) and polars (lazy scans, group_by) doing the same; and the correlations of four metrics
// with a rating beside pandas and SciPy: are the figures equal, how much processor time does it take, start included,
// and how much memory at its peak? Another number of rows may be given, --write writes the table in README.md:
//   node bench/million-rows.mjs [--write] [ROWS]

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { uniform, writeContrastiveRows, writeLines } from "./contrastive-rows.mjs";
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

const scores = ["clip-score", "vqa-score", "pick-score", "hps"];

/** The tables: a file's name, and how it is written; resolves to the figures that are right, as far as they are known. */
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
  async "correlation.csv"(path) {
    const random = uniform(20);
    await writeLines(path, rows, ["id,prompt,rating", ...scores].join(), (row) => {
      const rating = 1 + Math.floor(random() * 5);
      const text = `a photograph of thing ${row % 50_000} beside another`;
      return [`image-${row}`, text, rating, ...scores.map(() => rating / 5 + random())].join();
    });
    return {};
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

/** The first that is asked says what is right; rounding in sums of a million numbers is all that may differ. */
function checkCorrelations({ metrics }, truth, whose) {
  for (const [name, measures] of Object.entries(metrics)) {
    for (const measure of [
      "spearman",
      "kendallTauB",
      "pearson",
      "pairwiseAccuracy",
      "kendallTauC",
    ]) {
      for (const end of ["value", "low", "high"]) {
        const key = `${name}, ${measure}, ${end}`;
        truth[key] ??= measures[measure][end];
        if (!(Math.abs(measures[measure][end] - truth[key]) < 1e-9)) {
          throw new Error(
            `${whose}, ${key}: expected ${truth[key]}, found ${measures[measure][end]}`,
          );
        }
      }
    }
  }
}

function checkFailures({ metrics }, truth, whose) {
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
const ours = (verb, words) => [
  process.execPath,
  (path) => [
    ...["--import", sayUsage, here("../bin/touchstone"), "analyze", verb, path, "--json"],
    ...words,
  ],
];
const peer = (script) => [python, (path) => [here(script), path]];
const contrastive = {
  ours: ours("contrastive", []),
  ...(reason === undefined && {
    pandas: peer("./million_rows_peer.py"),
    polars: peer("./million_rows_polars.py"),
  }),
};
const correlation = {
  ours: ours("correlation", [
    "--human",
    "rating",
    "--metrics",
    scores.join(),
    "--interval",
    "delta",
  ]),
  ...(reason === undefined && { "pandas, SciPy": peer("./million_rows_correlation.py") }),
};
const lines = [];
try {
  for (const [file, write] of Object.entries(tables)) {
    if (reason !== undefined && file.endsWith(".parquet")) continue;
    const path = join(folder, file);
    const truth = await write(path);
    const size = (statSync(path).size / 1e6).toFixed(0);
    const [programs, check] =
      file === "correlation.csv" ? [correlation, checkCorrelations] : [contrastive, checkFailures];
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
    `each. Whole processes in turns: least processor time and most memory of ${turns}; figures equal.`;
  const head = [
    "| table | program | processor time (s) | ours / this | peak (MiB) |",
    "| --- | --- | ---: | ---: | ---: |",
  ];
  writeBetweenMarks("million-rows", [conditions, "", ...head, ...lines].join("\n"));
}
