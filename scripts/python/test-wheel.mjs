// Builds the Python package, installs it into an environment of its own and runs its tests there, with no
// Node on the path. TOUCHSTONE_PYTHON names another Python, or several with commas between.
//
//   npm run build && npm run test:python
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const newEnough = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))";
const run = (program, words, options = {}) =>
  execFileSync(program, words, { stdio: "inherit", cwd: root, ...options });
const pythons = (process.env.TOUCHSTONE_PYTHON ?? "python3").split(",").filter((python) => {
  const isNew = spawnSync(python, ["-c", newEnough]).status === 0;
  if (!isNew) console.log(`skipped: ${python} is no Python 3.9 or later with venv and pip`);
  return isNew;
});

async function testOn(python) {
  const here = await mkdtemp(join(tmpdir(), "touchstone-python-"));
  try {
    const names = (await readdir(join(root, "python/dist"))).join("\n");
    const [, built] = /^touchstone_t2i-([^-]+)-/m.exec(names) ?? [];
    run(python, ["-m", "venv", here]);
    const bin = join(here, process.platform === "win32" ? "Scripts" : "bin");
    run(join(bin, "python"), [
      ...["-m", "pip", "install", "--quiet", "--disable-pip-version-check"],
      ...[`--find-links=${join(root, "python/dist")}`, `touchstone-t2i[lab,test]==${built}`],
    ]);
    const others = (process.env.PATH ?? "")
      .split(delimiter)
      .filter((folder) => spawnSync(join(folder, "node"), ["-v"]).status !== 0);
    const env = {
      ...process.env,
      PATH: [bin, ...others].join(delimiter),
      PYTHONDONTWRITEBYTECODE: "1",
    };
    delete env.TOUCHSTONE_PYTHON;
    run(join(bin, "python"), ["--version"]);
    run(join(bin, "pytest"), ["-p", "no:cacheprovider", ...process.argv.slice(2), "tests"], {
      cwd: join(root, "python"),
      env,
    });
  } finally {
    await rm(here, { recursive: true, force: true });
  }
}

const [first] = pythons;
if (first !== undefined) {
  const env = { ...process.env, TOUCHSTONE_PYTHON: first };
  run(process.execPath, [join(root, "scripts/python/build-wheel.mjs")], { env });
}
for (const python of pythons) await testOn(python);
