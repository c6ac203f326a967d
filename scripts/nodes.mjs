// The suite and the small demo on every Node that lives: the newest patch of each, from npm's package `node`, and the
// one that runs this. Part of the soak; alone, on all or on some:
//   node scripts/nodes.mjs [26 …]

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Lines that are maintained. */
export const majors = [22, 24, 26];

/** Installs the newest patch of a Node into a folder; returns the path of its program. */
export function nodeAt(major, folder) {
  const at = join(folder, String(major));
  const words = ["install", "--silent", "--prefix", at, `node@${major}`];
  execFileSync("npm", words, { stdio: ["ignore", "ignore", "inherit"] });
  return join(at, "node_modules/node/bin/node");
}

/** What `npm ci && npm test` come to in a clone, on this Node and on each that lives. */
export function testOnNodes(wanted = majors) {
  const scratch = mkdtempSync(join(tmpdir(), "touchstone-nodes-"));
  try {
    const clone = join(scratch, "clone");
    execFileSync("git", ["clone", "--quiet", root, clone]);
    return [process.execPath, ...wanted.map((major) => nodeAt(major, scratch))].map((node) => {
      const started = Date.now();
      const path = [dirname(node), process.env.PATH].join(delimiter);
      const asked = { cwd: clone, env: { ...process.env, PATH: path } };
      const report = join(scratch, "report.json");
      rmSync(report, { force: true });
      execFileSync("npm", ["ci"], { ...asked, stdio: ["ignore", "ignore", "inherit"] });
      const words = ["test", "--", "--reporter=json", `--outputFile=${report}`];
      const { status } = spawnSync("npm", words, { ...asked, stdio: "ignore" });
      const { numTotalTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
      const found = {
        node: execFileSync(node, ["--version"], { encoding: "utf8" }).trim(),
        tests: numTotalTests,
        failed: numFailedTests,
        // An error outside of a test, such as of a file that nobody closed, fails no test.
        passes: status === 0,
        seconds: Math.round((Date.now() - started) / 1000),
      };
      console.log(JSON.stringify(found));
      return found;
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const wanted = process.argv.length > 2 ? process.argv.slice(2).map(Number) : majors;
  process.exit(testOnNodes(wanted).every(({ passes }) => passes) ? 0 : 1);
}
