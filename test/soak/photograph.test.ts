import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.js";

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const run = (...words: string[]) => promisify(execFile)(process.execPath, words);
const photograph = (...words: string[]) => run(file("scripts/photograph.mjs"), ...words);

test("two photographs of one tree are equal, and none is of a fault", async () => {
  const [first, second] = [await temporaryDirectory(), await temporaryDirectory()];
  // The demo takes longer than all else, so both look at one.
  const demo = join(await temporaryDirectory(), "demo");
  await run(file("bin/touchstone"), "demo", "--size", "small", "--run", demo);
  await Promise.all([first, second].map((out) => photograph(out, "--demo", demo)));
  expect((await photograph("--compare", first, second)).stdout).toBe("Nothing differs\n");
  const names = await readdir(first, { recursive: true });
  const texts = names.filter((name) => name.endsWith(".txt"));
  expect(texts.length).toBeGreaterThan(1000);
  for (const name of texts) {
    expect(await readFile(join(first, name), "utf8"), name).not.toMatch(/^(exit 1|500)$/m);
  }
}, 3_600_000);
