import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("200 people on one study, its server killed ten times: no answer is lost, none counts twice", () => {
  const script = fileURLToPath(new URL("../../bench/study-load.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  console.log(stdout);
  expect(status, `${stdout}${stderr}`).toBe(0);
}, 600_000);
