// Runs every command of docs/published-tables.md on a folder with the data it names, and fails where
// a line shown below a command is not among those that it prints, in this order.
//   node scripts/check-published-tables.mjs DATA

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [data] = process.argv.slice(2);
if (data === undefined || !existsSync(data)) {
  console.error("Expected the folder with the data: node scripts/check-published-tables.mjs DATA");
  process.exit(2);
}
const page = readFileSync(new URL("../docs/published-tables.md", import.meta.url), "utf8");
const bin = fileURLToPath(new URL("../bin", import.meta.url));
const environment = {
  ...process.env,
  DATA: resolve(data),
  PATH: [bin, process.env.PATH].join(delimiter),
};

const shown = [...page.matchAll(/```sh\n(.*?)```\n\n```text\n(.*?)```/gs)];
let wrong = 0;
for (const [, command, lines] of shown) {
  const { stdout, stderr } = spawnSync("sh", ["-c", command], {
    encoding: "utf8",
    env: environment,
    maxBuffer: 1 << 26,
  });
  const missing = firstMissing(lines.trimEnd().split("\n"), stdout.split("\n"));
  if (missing !== undefined) wrong += 1;
  console.log(`${missing === undefined ? "right" : "WRONG"}: ${command.split("\n", 1)[0]}`);
  if (missing !== undefined) console.log(`  not printed: ${missing}\n${stderr}`);
}
console.log(`${shown.length - wrong} of ${shown.length} commands print what the page shows`);
process.exit(wrong === 0 && shown.length > 0 ? 0 : 1);

/** The first wanted line that does not come after those before it. */
function firstMissing(wanted, printed) {
  let at = 0;
  for (const line of wanted) {
    const found = printed.findIndex((each, index) => index >= at && each.trim() === line.trim());
    if (found < 0) return line;
    at = found + 1;
  }
  return undefined;
}
