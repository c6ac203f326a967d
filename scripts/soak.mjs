// What takes too long for CI: kills, load, the speed of the studio, every command of the documents,
// faults planted in the source, the suite on every Node that lives.
// The outcome, with date and commit, is docs/soak.json, which nothing else writes.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { plantFaults } from "./mutations.mjs";
import { testOnNodes } from "./nodes.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), "touchstone-soak-"));
const started = Date.now();
const git = (...words) => execFileSync("git", words, { encoding: "utf8" }).trim();
try {
  const report = join(scratch, "report.json");
  const words = ["vitest", "run", "--project", "soak*", "--reporter=default", "--reporter=json"];
  spawnSync("npx", [...words, `--outputFile.json=${report}`], { stdio: "inherit" });
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const withStatus = (...wanted) => tests.filter(({ status }) => wanted.includes(status));
  const outcome = {
    date: new Date(started).toISOString().slice(0, 10),
    commit: git("rev-parse", "HEAD") + (git("status", "--porcelain") === "" ? "" : " and changes"),
    machine: `Node ${process.versions.node}, ${cpus().length} processors`,
    passed: withStatus("passed").length,
    // A file that fails before its tests has none that failed.
    failed: [
      ...withStatus("failed").map(({ fullName }) => fullName),
      ...testResults.flatMap(({ name, status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed")
          ? [relative(".", name)]
          : [],
      ),
    ],
    notRun: withStatus("pending", "skipped").map(({ fullName }) => fullName),
  };
  // Each part is written as it ends: the last, on each Node, takes the longest and may be stopped.
  const write = (part) => {
    const minutes = Math.round((Date.now() - started) / 6000) / 10;
    Object.assign(outcome, part, { minutes });
    writeFileSync("docs/soak.json", `${JSON.stringify(outcome, null, 2)}\n`);
  };
  write({});
  const faults = plantFaults();
  write({ faults });
  const nodes = testOnNodes();
  write({ nodes });
  const failing = nodes.filter(({ passes }) => !passes);
  const failures = outcome.failed.length + faults.unnoticed.length + failing.length;
  console.log(`${outcome.passed} passed, ${failures} failed: docs/soak.json`);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
