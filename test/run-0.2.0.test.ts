import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

/**
 * Runs made by version 0.2.0, each stopped at a limit in the middle of a step: of prototypicality, attribute
 * confusion and an audit of the lab's pictures; `finished/` has what 0.2.0 made of them when it went on.
 */
const fixtures = fileURLToPath(new URL("fixtures/run-0.2.0", import.meta.url));
const runs = ["proto", "confusion", "audit"];

let directory = "";
beforeEach(async () => {
  directory = await temporaryDirectory();
  await cp(fixtures, directory, { recursive: true });
});

const touchstone = (line: string) =>
  touchstoneHere(line.split(" "), { workingDirectory: directory });

/** The files of records of a run, by name. */
async function recordsOf(run: string): Promise<Record<string, string>> {
  const folder = join(directory, run, "records");
  const names = (await readdir(folder)).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
    ),
  );
}

test.each(runs)("a half-finished run of version 0.2.0 is whole: %s", async (run) => {
  const { code, stdout } = await touchstone(`run verify ${run} --json`);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ isWhole: true });
});

test.each(runs)("a half-finished run of version 0.2.0 is resumed as that did: %s", async (run) => {
  const { code, stderr } = await touchstone(`run resume ${run}`);
  expect(stderr).toContain("there already");
  expect(code).toBe(0);
  expect(await recordsOf(run)).toEqual(await recordsOf(join("finished", run)));
});

test.each(["proto", "confusion"])(
  "a finished run of version 0.2.0 opens, is reported, and asks for nothing: %s",
  async (run) => {
    await rm(join(directory, run, "records"), { recursive: true });
    await cp(join(directory, "finished", run), join(directory, run), { recursive: true });
    expect((await touchstone(`run verify ${run}`)).code).toBe(0);
    expect((await touchstone(`report ${run}`)).code).toBe(0);
    const before = await recordsOf(run);
    const { code, stderr } = await touchstone(`run resume ${run}`);
    expect(stderr).not.toMatch(/to do/);
    expect(code).toBe(0);
    expect(await recordsOf(run)).toEqual(before);
  },
);
