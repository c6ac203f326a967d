import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFile(join(root, name), "utf8");

test(
  "the demo's main job says what README and docs/demo.md say that it says",
  async () => {
    const run = await mkdtemp(join(tmpdir(), "touchstone-demo-"));
    const words = ["bin/touchstone", "demo", "--chapter", "none", "--run", run];
    const env = { ...process.env, COLUMNS: "80" };
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env });
    await rm(run, { recursive: true, force: true });
    const [, verdict] = /It says\n\n```\n(.+?)\n```/s.exec(await read("README.md")) ?? [];
    expect(verdict).toMatch(/^clip-score/);
    expect(stdout).toContain(verdict);
    // Failures in triplets stand in the third cell of the first table's rows.
    const [, table] =
      /\n\n(\| metric \| model \| triplets.+?)\n\n/s.exec(await read("docs/demo.md")) ?? [];
    const rates =
      table
        ?.split("\n")
        .slice(2)
        .map((row) => row.split(" | ")[2] ?? "") ?? [];
    expect(rates).toHaveLength(5);
    for (const rate of rates) expect(stdout).toContain(` ${rate} `);
  },
  30 * 60 * 1000,
);
