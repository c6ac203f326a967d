import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandBlocks } from "./document-commands.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md"));
const documents = ["README.md", "CONTRIBUTING.md", ...pages.map((name) => `docs/${name}`)];
const texts = new Map(
  await Promise.all(
    documents.map(async (name) => [name, await readFile(join(root, name), "utf8")] as const),
  ),
);

/** Runs a script as its reader would, who stops at the first error. */
function shell(script: string, directory: string) {
  return new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, PATH: [join(root, "bin"), process.env.PATH].join(delimiter) },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-4000);
      });
    }
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, said }));
  });
}

const withCommands = [...texts].filter(([, text]) => commandBlocks(text).length > 0);

describe.each(withCommands)("%s", (_, text) => {
  const blocks = commandBlocks(text);
  let directory = "";

  // A clone after `npm ci`, in which what the commands write is one's own.
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "touchstone-"));
    for (const name of ["bin", "data", "dist", "docs", "node_modules", "package.json", "weights"]) {
      await symlink(join(root, name), join(directory, name));
    }
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  for (const { line, script, notRun } of blocks) {
    const title = `line ${line}${notRun === undefined ? "" : `, not run: ${notRun}`}`;
    it.skipIf(notRun !== undefined)(title, { timeout: 3_600_000 }, async () => {
      const { code, said } = await shell(script, directory);
      expect(code, said).toBe(0);
    });
  }
});
