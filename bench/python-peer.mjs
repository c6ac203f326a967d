// A Python process that does the same work as ours in the same run: packages are installed once, in
// a virtual environment beside the benches (bench/.python, ignored by git), the peer answers one
// JSON line for each it is sent.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./.python/", import.meta.url));
const requirements = fileURLToPath(new URL("./requirements.txt", import.meta.url));
/** The interpreter that has the packages. */
export const python = `${folder}bin/python`;
const stamp = `${folder}installed.txt`;

/**
 * Starts `script` (a file of this folder) with the packages of requirements.txt.
 *
 * @returns what asks it and ends it, or `{ skipped }` with the reason where there is no Python or
 *   its packages can't be had.
 */
export function pythonPeer(script) {
  const reason = installPeers();
  if (reason !== undefined) return { skipped: reason };
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, [path], {
    stdio: ["pipe", "pipe", "inherit"],
    // One thread, as ours has.
    env: { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { done, value } = await lines.next();
      if (done) throw new Error(`${script} ended without an answer to ${JSON.stringify(question)}`);
      return JSON.parse(value);
    },
    end: () => child.stdin.end(),
  };
}

/** Installs the packages where they are not yet; why they can't be had, undefined where they are there. */
export function installPeers() {
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return undefined;
  console.error("Installing the peers into bench/.python …");
  const steps = [
    ["python3", "-m", "venv", "--clear", folder],
    [python, "-m", "pip", "install", "--quiet", "-r", requirements],
  ];
  for (const [command, ...words] of steps) {
    const { status, error, stderr } = spawnSync(command, words, { encoding: "utf8" });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim().split("\n").at(-1);
    return `${[command, ...words].join(" ")}: ${why}`;
  }
  writeFileSync(stamp, wanted);
  return undefined;
}
