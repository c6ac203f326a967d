// Says which files name another version of the packages than package.json; with a version, writes it into all.
//
//   node scripts/release/version.mjs             # exit code 1 where one differs
//   node scripts/release/version.mjs 0.4.0       # then npm install --package-lock-only
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const version = String.raw`\d+\.\d+\.\d+(?:-[a-z]+\.?\d*)?`;
/** Each file, and what stands before the version in it. */
const places = [
  ["package.json", '^  "version": "'],
  ["package.json", '"touchstone-t2i-lab": "'],
  ["packages/lab/package.json", '^  "version": "'],
  ["packages/lab/package.json", '"touchstone-t2i": "'],
  ["action/action.yml", "touchstone-t2i@"],
  ["action/gate.sh", "touchstone-t2i@"],
  ["deploy/kubernetes/perform.yaml", "touchstone:"],
  ["deploy/kubernetes/study.yaml", "touchstone:"],
  ["docs/cite.md", "version = {"],
  ["docs/gate.md", "touchstone/action@v"],
  ["docs/gate.md", "touchstone-t2i@"],
];

const wanted = process.argv[2] ?? (await ownVersion());
if (!new RegExp(`^${version}$`).test(wanted)) {
  throw new Error(`Expected a version such as 0.4.0 but got ${wanted}`);
}
const differing = [];
for (const [path, before] of places) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const text = await readFile(file, "utf8");
  const pattern = new RegExp(`(${before})(${version})`, "gm");
  const found = [...text.matchAll(pattern)].map(([, , one]) => one);
  if (found.length === 0) throw new Error(`Expected a version behind ${before} in ${path}`);
  if (found.every((one) => one === wanted)) continue;
  differing.push(`${path}: ${found.join(", ")}`);
  if (process.argv[2] !== undefined) await writeFile(file, text.replace(pattern, `$1${wanted}`));
}
if (process.argv[2] !== undefined) console.log(`${differing.length} changed to ${wanted}`);
else if (differing.length > 0) {
  console.error(`Expected ${wanted} everywhere but got\n${differing.join("\n")}`);
  process.exitCode = 1;
}

async function ownVersion() {
  return JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")).version;
}
