// Packs what a release publishes: both packages of npm, the wheels of every system, and what all is made of.
//
//   npm run build && node scripts/release/pack.mjs OUT [ADDRESS]
//
// Leaves OUT/npm, OUT/wheels and OUT/sbom, which scripts/release/use-packages.mjs tries. npm publishes a package
// with provenance only where its manifest names the repository: ADDRESS, such as https://github.com/OWNER/touchstone.
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [out = "out", repository] = process.argv.slice(2);
const systems = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64", "win32-x64"];
const root = fileURLToPath(new URL("../..", import.meta.url));
const at = (folder) => resolve(out, folder);
const npm = (words, cwd = root) =>
  execFileSync("npm", words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

// What another version left is not published with this one.
await rm(join(root, "python/dist"), { recursive: true, force: true });
for (const folder of ["npm", "wheels", "sbom"]) {
  await rm(at(folder), { recursive: true, force: true });
  await mkdir(at(folder), { recursive: true });
}

for (const folder of [root, join(root, "packages/lab")]) {
  const manifest = join(folder, "package.json");
  const text = await readFile(manifest, "utf8");
  const named = { ...JSON.parse(text), repository: { type: "git", url: `git+${repository}.git` } };
  try {
    if (repository !== undefined) await writeFile(manifest, `${JSON.stringify(named, null, 2)}\n`);
    npm(["pack", "--silent", "--ignore-scripts", "--pack-destination", at("npm")], folder);
  } finally {
    if (repository !== undefined) await writeFile(manifest, text);
  }
}

const used = await mkdtemp(join(tmpdir(), "touchstone-pack-"));
npm(["init", "--yes"], used);
const packed = (await readdir(at("npm"))).map((name) => join(at("npm"), name));
npm(["install", "--silent", "--ignore-scripts", ...packed], used);
await writeFile(
  join(at("sbom"), "touchstone-t2i.cdx.json"),
  npm(["sbom", "--sbom-format", "cyclonedx"], used),
);
await rm(used, { recursive: true });

for (const system of systems) {
  npm(["run", "--silent", "build:python", "--", "--for", system]);
  await cp(join(root, "python/dist"), at("wheels"), { recursive: true });
}
for (const folder of ["npm", "wheels", "sbom"]) console.log((await readdir(at(folder))).join("\n"));
