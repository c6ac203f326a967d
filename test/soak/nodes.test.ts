import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { majors, nodeAt } from "../../scripts/nodes.mjs";
import { conclusions, verbWords } from "../../src/conclusions/conclusions.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const run = promisify(execFile);

/** Files of a run that hold neither a time nor what is drawn anew: people's names are. */
const isSame = /(^|\/)(records|truth|blobs)\/|(^|\/)(verdict|overview|judge|results?)\.jsonl?$/;

/** What a Node makes of a small demo and of each conclusion's example: the hash of each file. */
async function madeBy(node: string): Promise<Record<string, string>> {
  const cwd = await temporaryDirectory();
  const touchstone = (words: readonly string[]) =>
    run(node, [at("bin/touchstone"), ...words], { cwd, maxBuffer: 1e8 });
  await touchstone(["demo", "--size", "small", "--run", "run"]);
  const names = await readdir(join(cwd, "run"), { recursive: true });
  const made: Record<string, string> = {};
  for (const name of names.filter((each) => isSame.test(each) && /\.\w+$/.test(each)).sort()) {
    made[name] = hashOf(await readFile(join(cwd, "run", name)));
  }
  for (const one of conclusions) {
    const { name } = one;
    const { example } = (await one.load()).default;
    const words = [
      ...verbWords(one),
      at(`data/examples/${name}.csv`),
      ...(example?.words ?? []),
      "--json",
    ];
    made[name] = hashOf((await touchstone(words)).stdout);
  }
  return made;
}

const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

test("records and conclusions have the same bytes on every Node", async () => {
  const own = await madeBy(process.execPath);
  expect(Object.keys(own).length).toBeGreaterThan(500);
  const folder = await temporaryDirectory();
  for (const major of majors) {
    expect(await madeBy(nodeAt(major, folder)), `Node ${major}`).toEqual(own);
  }
}, 3_600_000);
