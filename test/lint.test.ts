import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// Git for Windows gives every line another end.
test.skipIf(process.platform === "win32")("every file keeps the rules of biome.json", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"],
    { cwd: fileURLToPath(new URL("..", import.meta.url)), encoding: "utf8" },
  );
  expect(status, `${stdout}${stderr}`).toBe(0);
});
