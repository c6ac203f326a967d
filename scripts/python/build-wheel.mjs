// Builds the Python package: a wheel with the built JavaScript and those of its packages that it needs
// at run time, and beside it one with the lab, which fits every system. pip does the packing.
//
//   npm run build && npm run build:python [-- --for darwin-arm64]
//
// Native parts (sharp's) are of one system: this one's, or, fetched from the registry and held against the
// lock file, those of the one that --for names, as Node does: PLATFORM-ARCH.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pythonKeywords, pythonVerbs } from "./declare-verbs.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = join(root, "python");
const staged = join(source, "build");
const wheels = join(source, "dist");
const mostBytes = 30e6;
const here = `${process.platform}-${process.arch}`;
const { values: flags } = parseArgs({ options: { for: { type: "string", default: here } } });
const [platform, arch] = flags.for.split("-");

const own = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const locked = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));

/** Of each package all but what only builds, types and readers want. */
const kept = /(^|\/)(package\.json|licen[cs]e[^/]*|notice[^/]*|copying[^/]*)$/i;
const idle = /\.(d\.[cm]?ts|ts|map|md|markdown|flow|tsx)$|^(tests?|docs|examples)\//i;

/** Types alone: nothing of them is run. */
const typesOnly = /(^|\/)(@types\/[^/]+|undici-types|vega-typings|typescript)$/;

const pythonVersion = own.version.replace(
  /-(alpha|beta|rc)\.?/,
  (_, stage) => ({ alpha: "a", beta: "b", rc: "rc" })[stage],
);

await rm(staged, { recursive: true, force: true });
if (flags.for === here) await rm(wheels, { recursive: true, force: true });
await mkdir(wheels, { recursive: true });
await cp(join(source, "touchstone_t2i"), join(staged, "touchstone_t2i"), {
  recursive: true,
  filter: (path) => basename(path) !== "__pycache__",
});
await writeFile(join(staged, "touchstone_t2i", "verbs.py"), await pythonVerbs());
await writeFile(join(staged, "touchstone_t2i", "keywords.py"), await pythonKeywords());
await cp(join(source, "README.md"), join(staged, "README.md"));
await cp(join(root, "LICENSE"), join(staged, "LICENSE"));
const settings = await readFile(join(source, "pyproject.toml"), "utf8");
await writeFile(join(staged, "pyproject.toml"), settings.replaceAll("0.0.0", pythonVersion));

// Where Node looks for packages from one another.
const packages = join(staged, "touchstone_t2i", "node_modules");
const node = join(packages, own.name);
for (const part of ["dist", "data", "bridge/touchstone_bridge"]) {
  await copied(join(root, part), join(node, part), (file) => !/\.d\.ts$|\.pyc$/.test(file));
}
for (const file of ["NOTICE", "LICENSE"]) await cp(join(root, file), join(node, file));
for (const file of ["touchstone.mjs", "child.mjs"]) await cp(join(source, file), join(node, file));
// What the program reads of its own package, without what only npm wants.
const { name, version, type, engines, license, exports, dependencies } = own;
const manifest = { name, version, private: true, type, engines, license, exports, dependencies };
await writeFile(join(node, "package.json"), JSON.stringify(manifest, null, 2));

const fetched = await mkdtemp(join(tmpdir(), "touchstone-wheel-"));
for (const [path, entry] of Object.entries(locked.packages)) {
  const { dev, devOptional, link, optional } = entry;
  if (!path.startsWith("node_modules/") || dev || devOptional || link || typesOnly.test(path))
    continue;
  const from = optional ? await nativePart(path, entry) : join(root, path);
  if (from === undefined) continue;
  await copied(from, join(dirname(packages), path), (file) => kept.test(file) || !idle.test(file));
}

await rm(fetched, { recursive: true });
await packed(await platformTag());

// The lab's files go beside the tool's, into the same folder of packages.
const lab = join(root, "packages/lab");
const labManifest = JSON.parse(await readFile(join(lab, "package.json"), "utf8"));
const inWheel = /^((data|dist|weights)\/.*(?<!\.d\.ts)|package\.json)$/;
await copied(lab, join(packages, labManifest.name), (file) => inWheel.test(file));
await cp(join(root, "NOTICE"), join(packages, labManifest.name, "NOTICE"));
await cp(join(root, "LICENSE"), join(staged, "LICENSE"));
await cp(join(lab, "README.md"), join(staged, "README.md"));
await writeFile(
  join(staged, "pyproject.toml"),
  `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "${labManifest.name}"
version = "${pythonVersion}"
description = "${labManifest.description}"
readme = "README.md"
license = "${labManifest.license}"
requires-python = ">=3.9"
dependencies = ["${own.name}==${pythonVersion}"]

[tool.setuptools]
packages = ["touchstone_t2i"]

[tool.setuptools.package-data]
touchstone_t2i = ["node_modules/**/*"]
`,
);
await packed("any");

/** Makes a wheel of what is staged, for this platform of Python's. */
async function packed(platformName) {
  const before = new Set(await readdir(wheels));
  const python = process.env.TOUCHSTONE_PYTHON ?? "python3";
  execFileSync(
    python,
    [
      ...["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, staged],
      `--config-settings=--build-option=--plat-name=${platformName}`,
    ],
    { stdio: "inherit" },
  );
  await rm(staged, { recursive: true });
  const wheel = (await readdir(wheels)).find((name) => !before.has(name));
  // The lab's is there from the system before this one.
  if (wheel === undefined) return;
  const { size } = await stat(join(wheels, wheel));
  console.log(`python/dist/${wheel}: ${(size / 1e6).toFixed(1)} MB`);
  if (size > mostBytes) throw new Error(`Expected at most ${mostBytes / 1e6} MB for the wheel`);
}

/** Where a package lies that only some systems need; undefined where the wheel's needs none of it. */
async function nativePart(path, { version, integrity, os, cpu, libc }) {
  const installed = join(root, path);
  const isThere = await stat(installed).then(
    () => true,
    () => false,
  );
  if (os === undefined && cpu === undefined) return isThere ? installed : undefined;
  const fits =
    os?.includes(platform) && cpu?.includes(arch) && (libc ?? ["glibc"]).includes("glibc");
  if (!fits || flags.for === here) return fits && isThere ? installed : undefined;
  const name = path.slice("node_modules/".length);
  const words = ["pack", "--silent", "--pack-destination", fetched, `${name}@${version}`];
  const archive = join(fetched, execFileSync("npm", words, { encoding: "utf8" }).trim());
  const hash = `sha512-${createHash("sha512")
    .update(await readFile(archive))
    .digest("base64")}`;
  if (hash !== integrity) throw new Error(`Expected ${integrity} for ${name} but got ${hash}`);
  const into = await mkdtemp(join(fetched, "package-"));
  execFileSync("tar", ["xzf", archive, "--strip-components=1", "-C", into]);
  return into;
}

/** The files of a folder that are wanted, without the packages inside it: they have their own turn. */
async function copied(from, to, wants) {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const file = path.slice(from.length + 1).replaceAll("\\", "/");
    if (/(^|\/)(node_modules|__pycache__)\//.test(file) || !wants(file)) continue;
    await mkdir(dirname(join(to, file)), { recursive: true });
    await cp(path, join(to, file));
  }
}

/** Which machines can run the native parts (sharp's), in the words of Python's wheels. */
async function platformTag() {
  if (platform === "win32") return arch === "arm64" ? "win_arm64" : "win_amd64";
  if (platform === "darwin") return arch === "arm64" ? "macosx_11_0_arm64" : "macosx_10_15_x86_64";
  const native = JSON.parse(
    await readFile(join(packages, `@img/sharp-linux-${arch}/package.json`), "utf8"),
  );
  const [, major, minor] = /(\d+)\.(\d+)/.exec(native.config.glibc) ?? [];
  return `manylinux_${major}_${minor}_${arch === "arm64" ? "aarch64" : "x86_64"}`;
}
