// A group-by over ten million scores in Parquet by `touchstone query`'s DuckDB, beside pandas on the same
// file in the same run: do they find the same, how long does the query take once the file is open, and how
// much memory does each process take at its peak? The file is written by DuckDB, as `run export` lays it
// out. Another number of rows may be given; --write writes the table in README.md:
//   node bench/query.mjs [--write] [ROWS]

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPeer } from "./install-peer.mjs";
import { sideBySide } from "./side-by-side.mjs";
import { printFound, words, writeTable } from "./written-table.mjs";

const [rows = 10_000_000] = words.map(Number);
const turns = 5;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { folder: peer, skipped } = installPeer("query", [
  ["python3", "-m", "venv", "python"],
  ["python/bin/python", "-m", "pip", "install", "--quiet", "pandas==2.3.3", "pyarrow==21.0.0"],
]);
if (skipped !== undefined) {
  console.log(`pandas skipped: ${skipped}`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "query-"));
try {
  const path = join(folder, "scores.parquet");
  const asked = (program, ...its) => {
    const { status, stdout, stderr } = spawnSync(program, its, {
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    if (status !== 0) throw new Error(`${program}: exit ${status}: ${stderr.slice(-800)}`);
    return JSON.parse(stdout);
  };
  asked(process.execPath, here("./query-ours.mjs"), "write", path, String(rows));
  const size = (statSync(path).size / 1e6).toFixed(0);
  const peaks = {};
  const turn = (name, program, script) => {
    const { seconds, peak, groups } = asked(program, here(script), "ask", path);
    peaks[name] = Math.max(peaks[name] ?? 0, peak);
    return { seconds, groups };
  };
  let spent = 0;
  let found;
  const task = `mean score and count of 4 metrics x 8 models, ${rows.toLocaleString("en")} rows (${size} MB of Parquet)`;
  const result = await sideBySide({
    ours() {
      const { seconds, groups } = turn("ours", process.execPath, "./query-ours.mjs");
      spent += seconds;
      found = groups;
    },
    peers: {
      pandas() {
        const { seconds, groups } = turn("pandas", `${peer}python/bin/python`, "./query_peer.py");
        for (const [at, [metric, model, n, mean]] of groups.entries()) {
          const its = found?.[at];
          if (its === undefined) break;
          if (
            metric !== its[0] ||
            model !== its[1] ||
            n !== its[2] ||
            Math.abs(mean - its[3]) > 1e-9
          ) {
            throw new Error(
              `Expected ${JSON.stringify(its)} but pandas has ${JSON.stringify(groups[at])}`,
            );
          }
        }
        return { seconds, result: 0 };
      },
    },
    pairs: turns,
    clock: () => spent,
  });
  const row = { task, aim: "< 1 s", ...result };
  printFound(task, row);
  const conditions =
    `Time from the open file to all groups, ${availableParallelism()} threads each may use; peaks of memory: ` +
    `DuckDB ${(peaks.ours / 1024).toFixed(0)} MiB, pandas ${(peaks.pandas / 1024).toFixed(0)} MiB ` +
    "(three columns read). The same groups.";
  console.log(`  ${conditions}`);
  writeTable("query", {
    versions: "DuckDB 1.5.6, pandas 2.3.3, pyarrow 21.0.0",
    conditions,
    rows: [row],
  });
} finally {
  rmSync(folder, { recursive: true });
}
