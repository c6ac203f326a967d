// A million contrastive rows from JSONL and from CSV, by default and in a heap of 256 MB, beside pandas doing
// the same with as much memory as it takes: are the counts right, how much processor time does it take,
// start included, and how much memory at its peak? Another number of rows or megabytes may be given,
// --write writes the table in README.md:
//   node bench/million-rows.mjs [--write] [ROWS] [MEGABYTES]

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeContrastiveRows } from "./contrastive-rows.mjs";
import { installPeers, python } from "./python-peer.mjs";
import { sideBySide } from "./side-by-side.mjs";
import { printFound, words, writeTable } from "./written-table.mjs";

const [rows = 1_000_000, megabytes = 256] = words.map(Number);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const sayUsage =
  'data:text/javascript,process.on("exit", () => { const { userCPUTime, systemCPUTime, maxRSS } = ' +
  'process.resourceUsage(); process.stderr.write("peak " + maxRSS + " seconds " + ' +
  '(userCPUTime + systemCPUTime) / 1e6 + "\\n") })';

const environment = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };

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
    peak: `${(peak / 1024).toFixed(0)} MiB`,
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
  console.log(`pandas skipped: its packages can't be installed (${reason})`);
const folder = mkdtempSync(join(tmpdir(), "million-rows-"));
try {
  const found = [];
  const peaks = [];
  for (const format of ["jsonl", "csv"]) {
    const path = join(folder, `rows.${format}`);
    const truth = await writeContrastiveRows(path, rows);
    const size = (statSync(path).size / 1e6).toFixed(0);
    for (const heap of [[], [`--max-old-space-size=${megabytes}`]]) {
      const where = heap.length === 0 ? "" : `, in a heap of ${megabytes} MB`;
      const task = `${rows.toLocaleString("en")} contrastive rows (${size} MB of ${format.toUpperCase()})${where}`;
      const peak = {};
      let spent = 0;
      const ask = (name, command, its) => {
        const answer = measured(name, command, its);
        check(answer, truth, name);
        peak[name] = answer.peak;
        return { seconds: answer.seconds, result: 0 };
      };
      const bin = here("../bin/touchstone");
      const node = [...heap, "--import", sayUsage, bin, "analyze", "contrastive", path, "--json"];
      const ours = () => {
        spent += ask("ours", process.execPath, node).seconds;
      };
      if (reason !== undefined) {
        ours();
        console.log(`${task}: ${spent.toFixed(1)} s, peak ${peak.ours}; counts right`);
        continue;
      }
      const pandas = () => ask("pandas", python, [here("./million_rows_peer.py"), path]);
      const each = await sideBySide({ ours, peers: { pandas }, pairs: 3, clock: () => spent });
      printFound(task, { aim: 1, ...each });
      console.log(`  peaks: ours ${peak.ours}, pandas ${peak.pandas}; counts right`);
      found.push({ task, aim: 1, ...each });
      peaks.push(`${peak.ours} and ${peak.pandas}`);
    }
  }
  const conditions = `Processor time of whole processes; peaks of memory, ours and pandas', row by row: ${peaks.join("; ")}.`;
  if (reason === undefined) {
    writeTable("million-rows", { versions: "pandas 2.3.3", conditions, rows: found });
  }
} finally {
  rmSync(folder, { recursive: true });
}
