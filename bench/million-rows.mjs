// A million contrastive rows from JSONL in a heap of 256 MB: are the counts right, how long does it
// take, and how much memory at its peak? Another number of rows or megabytes may be given:
//   node bench/million-rows.mjs [ROWS] [MEGABYTES]

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeContrastiveRows } from "./contrastive-rows.mjs";

const [rows = 1_000_000, megabytes = 256] = process.argv.slice(2).map(Number);
const bin = fileURLToPath(new URL("../bin/touchstone", import.meta.url));
const sayPeak = `data:text/javascript,process.on("exit", () =>
  process.stderr.write("peak " + process.resourceUsage().maxRSS + "\\n"))`;

const folder = mkdtempSync(join(tmpdir(), "million-rows-"));
try {
  const path = join(folder, "rows.jsonl");
  const truth = await writeContrastiveRows(path, rows);
  const size = (statSync(path).size / 1e6).toFixed(0);
  const words = ["analyze", "contrastive", path, "--json"];
  const heap = `--max-old-space-size=${megabytes}`;
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [heap, "--import", sayPeak.replaceAll("\n", " "), bin, ...words],
    { encoding: "utf8", maxBuffer: 1 << 26 },
  );
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (status !== 0) throw new Error(`exit ${status}: ${stderr.slice(0, 500)}`);
  const { metrics } = JSON.parse(stdout);
  for (const [name, { n, failures }] of Object.entries(truth)) {
    const found = metrics[name].overall;
    if (found.n !== n || Math.round(found.failureRate.value * n) !== failures) {
      throw new Error(`${name}: expected ${failures} failures of ${n}`);
    }
  }
  const peak = (Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024).toFixed(0);
  console.log(
    `${rows.toLocaleString("en")} rows (${size} MB) under ${heap}: ${seconds.toFixed(1)} s, ` +
      `${Math.round(rows / seconds).toLocaleString("en")} rows/s, peak ${peak} MiB in all; counts right`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
