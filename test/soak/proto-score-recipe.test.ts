import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../training/proto_score/test.sh", import.meta.url));
const hasPython = spawnSync("python3", ["-m", "venv", "--help"]).status === 0;

// It installs 6 GB from PyPI, so it needs a network, room and minutes.
test.skipIf(!hasPython)(
  "the 7B recipe's own tests pass in a fresh environment",
  () => {
    const { status, stdout, stderr } = spawnSync("sh", [script], { encoding: "utf8" });
    expect(`${stdout}\n${stderr}`).toMatch(/\d+ passed/);
    expect(status).toBe(0);
  },
  60 * 60 * 1000,
);
