// Installs what a release packed as its users will, each in an empty folder, and does one job with it:
// the tool alone, the tool with the lab, the wheel of this system, and the gate of pull requests.
//
//   node scripts/release/use-packages.mjs OUT    # OUT/npm/*.tgz, OUT/wheels/*.whl
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const out = resolve(process.argv[2] ?? "out");
const isWindows = process.platform === "win32";
const scores = ["model,prompt,score"];
for (const model of ["a", "b"]) {
  for (let at = 0; at < 40; at++) {
    scores.push(`${model},prompt ${at},${((at * 7) % 11) / 20 + (model === "b" ? 0.1 : 0)}`);
  }
}

async function inEmptyFolder(what, job) {
  const folder = await mkdtemp(join(tmpdir(), "touchstone-use-"));
  const run = (program, words, env = {}) =>
    execFileSync(program, words, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
      // npm and npx are scripts there.
      shell: isWindows && !program.includes("python"),
    });
  try {
    await writeFile(join(folder, "scores.csv"), scores.join("\n"));
    const started = Date.now();
    const said = await job(run, folder);
    console.log(`${what}: ${said} (${((Date.now() - started) / 1000).toFixed(0)} s)`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function only(folder, pattern) {
  const found = (await readdir(join(out, folder))).filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`Expected one ${pattern} in ${folder}, got ${found}`);
  return join(out, folder, found[0]);
}

function verdictOf(printed) {
  const { verdict } = JSON.parse(printed);
  if (!/\bb\b/.test(verdict)) throw new Error(`Expected b ahead but got: ${verdict}`);
  return verdict;
}

const tool = await only("npm", /^touchstone-t2i-\d.*\.tgz$/);
const lab = await only("npm", /^touchstone-t2i-lab-.*\.tgz$/);
const compare = ["compare", "scores.csv", "--json"];

await inEmptyFolder("touchstone-t2i", (run) => {
  run("npm", ["install", "--silent", tool]);
  return verdictOf(run("npx", ["touchstone", ...compare]));
});
await inEmptyFolder("touchstone-t2i-lab", (run) => {
  run("npm", ["install", "--silent", tool, lab]);
  run("npx", ["touchstone", "demo", "--size", "small", "--run", "demo"]);
  return "the small demo ends";
});
await inEmptyFolder("the gate", (run, folder) => {
  run("npm", ["install", "--silent", tool]);
  run("bash", [fileURLToPath(new URL("../../action/gate.sh", import.meta.url))], {
    GATE_TABLE: "scores.csv",
    GATE_COMMAND: "npx touchstone",
    GATE_FOLDER: "gate",
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
  });
  return "it ends without a baseline";
});
const system = { linux: "manylinux", darwin: "macosx", win32: "win" }[process.platform];
const machine = { x64: "(x86_64|amd64)", arm64: "(aarch64|arm64)" }[process.arch];
const wheel = await only("wheels", new RegExp(`${system}.*${machine}\\.whl$`));
await inEmptyFolder("the wheel", (run, folder) => {
  run(isWindows ? "python" : "python3", ["-m", "venv", "environment"]);
  const python = join(folder, "environment", isWindows ? "Scripts" : "bin", "python");
  const wheels = `--find-links=${dirname(wheel)}`;
  run(python, ["-m", "pip", "install", "--quiet", wheels, `${wheel}[lab]`, "pandas"]);
  run(join(dirname(python), "touchstone"), ["demo", "--size", "small", "--run", "demo"]);
  const code =
    "import json, pandas, touchstone_t2i as t; " +
    "print(json.dumps({'verdict': t.compare(pandas.read_csv('scores.csv')).verdict}))";
  return verdictOf(run(python, ["-c", code]));
});
