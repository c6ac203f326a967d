// Builds dist: the program by tsc, the lab's art, the files of onnxruntime, and the pages by Vite. None reads what
// another makes, so all are made side by side.
//
//   npm run build [-- --no-check]
//
// --no-check leaves wrong types to `npm run types` and takes tsc a third of the time: what was committed has been
// checked, so an installation does without.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const unchecked = process.argv.includes("--no-check") ? " --noCheck" : "";

async function run(line) {
  const [code] = await once(spawn(line, { shell: true, stdio: "inherit" }), "exit");
  if (code === 0) return;
  console.error(`Failed: ${line}`);
  process.exit(1);
}

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
rmSync("dist", { recursive: true, force: true });
await Promise.all([
  run(`tsc -p tsconfig.build.json${unchecked}`),
  run("node scripts/copy-onnxruntime.mjs"),
  run("node scripts/build-art.mjs"),
  run("npm run --silent build --workspace web"),
]);
