// Builds dist of the tool and of the lab: the programs by tsc, the lab's after the tool's, whose declarations it
// reads; what a start loads joined into few files; beside them the lab's art, the files of onnxruntime, and the pages
// by Vite.
//
//   npm run build [-- --no-check]
//
// --no-check leaves wrong types to `npm run types` and takes tsc a third of the time: what was committed has been
// checked, so an installation does without.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

const lab = (path) => `packages/lab/${path}`;
const unchecked = process.argv.includes("--no-check") ? " --noCheck" : "";

async function run(line) {
  const [code] = await once(spawn(line, { shell: true, stdio: "inherit" }), "exit");
  if (code === 0) return;
  console.error(`Failed: ${line}`);
  process.exit(1);
}

if (process.argv.includes("--help")) {
  console.log("npm run build [-- --no-check]");
  process.exit();
}
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
// As npm links workspaces; the root it links nowhere, and the lab imports it by its name. Each `npm install` removes what
// it did not put into a workspace's own node_modules, so this one lies above.
for (const [path, target] of [
  ["node_modules/touchstone-t2i-lab", lab("")],
  ["packages/node_modules/touchstone-t2i", "."],
]) {
  if (existsSync(path)) continue;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(relative(dirname(path), target), path, "dir");
}
for (const folder of ["dist", lab("dist")]) rmSync(folder, { recursive: true, force: true });
for (const file of ["LICENSE", "NOTICE"]) copyFileSync(file, lab(file));
await Promise.all([
  run(`tsc -p tsconfig.build.json${unchecked}`).then(() =>
    Promise.all([
      run("node scripts/join-modules.mjs"),
      run(`tsc -p ${lab("tsconfig.build.json")}${unchecked}`),
    ]),
  ),
  run(`node ${lab("scripts/copy-onnxruntime.mjs")}`),
  run(`node ${lab("scripts/build-art.mjs")}`),
  run("npm run --silent build --workspace web"),
]);
