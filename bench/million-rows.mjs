// A million contrastive rows from JSONL in a heap of 256 MB, beside pandas doing the same with as much
// memory as it takes: are the counts right, how much processor time does it take, start included, and
// how much memory at its peak? Another number of rows or megabytes may be given, --write writes the
// table in README.md:
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

const folder = mkdtempSync(join(tmpdir(), "million-rows-"));
try {
  const path = join(folder, "rows.jsonl");
  const truth = await writeContrastiveRows(path, rows);
  const size = (statSync(path).size / 1e6).toFixed(0);
  const heap = `--max-old-space-size=${megabytes}`;
  let spent = 0;
  const peaks = {};
  const measured = (name, command, ...its) => {
    const { status, stdout, stderr } = spawnSync(command, its, {
      encoding: "utf8",
      maxBuffer: 1 << 26,
      env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
    });
    if (status !== 0) throw new Error(`${name}: exit ${status}: ${stderr.slice(0, 500)}`);
    const [, peak, seconds] = /peak (\d+) seconds ([\d.]+)/.exec(stderr);
    peaks[name] = `${(peak / 1024).toFixed(0)} MiB`;
    check(JSON.parse(stdout), name);
    return { seconds: Number(seconds), result: 0 };
  };
  const check = ({ metrics }, whose) => {
    for (const [name, { n, failures }] of Object.entries(truth)) {
      const { n: found, failureRate } = metrics[name].overall;
      if (found !== n || Math.round(failureRate.value * n) !== failures) {
        throw new Error(`${whose}, ${name}: expected ${failures} failures of ${n}`);
      }
    }
  };
  const bin = here("../bin/touchstone");
  const reason = installPeers();
  if (reason !== undefined)
    console.log(`pandas skipped: its packages can't be installed (${reason})`);
  const ours = () => {
    const node = [heap, "--import", sayUsage, bin, "analyze", "contrastive", path, "--json"];
    spent += measured("ours", process.execPath, ...node).seconds;
  };
  const task = `${rows.toLocaleString("en")} contrastive rows (${size} MB of JSONL)`;
  if (reason !== undefined) {
    ours();
    console.log(`${task}: ${spent.toFixed(1)} s, peak ${peaks.ours}; counts right`);
  } else {
    const found = await sideBySide({
      ours,
      peers: {
        pandas: () => measured("pandas", python, here("./million_rows_peer.py"), path),
      },
      pairs: 3,
      clock: () => spent,
    });
    const row = { task, aim: 1, ...found };
    printFound(task, row);
    const conditions = `Processor time of whole processes; peaks of memory: ours ${peaks.ours} under ${heap}, pandas ${peaks.pandas}.`;
    console.log(`  ${conditions} Counts right.`);
    writeTable("million-rows", { versions: "pandas 2.3.3", conditions, rows: [row] });
  }
} finally {
  rmSync(folder, { recursive: true });
}
