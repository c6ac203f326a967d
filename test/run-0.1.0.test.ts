import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

/**
 * A run made by version 0.1.0, before records were sealed: three prompts, twelve images, a filter and
 * two metrics of the lab. Whatever comes later must open it, report on it and go on with it.
 */
const fixture = fileURLToPath(new URL("fixtures/run-0.1.0", import.meta.url));

let directory = "";
beforeEach(async () => {
  directory = await temporaryDirectory();
  await cp(fixture, join(directory, "run-0.1.0"), { recursive: true });
});

async function touchstone(line: string) {
  return touchstoneHere(line.split(" "), { workingDirectory: directory });
}

/** Every file below a folder of the run, with its bytes. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  const texts = await Promise.all(paths.sort().map((path) => readFile(path, "latin1")));
  return Object.fromEntries(paths.sort().map((path, at) => [path, texts[at] ?? ""]));
}

test("a run of version 0.1.0 is whole, and unsealed", async () => {
  const { code, stdout } = await touchstone("run verify run-0.1.0 --json");
  expect(code).toBe(0);
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({ isWhole: true, records: 69, images: 12, truths: 12 });
  // The recipe and the records of six steps.
  expect(said.unsealed).toHaveLength(7);
  expect(said.unsealed).toContain("run.json");
});

test("a report of a run of version 0.1.0 says what it always said", async () => {
  const { code, stdout } = await touchstone("report run-0.1.0");
  expect(code).toBe(0);
  // One of three triplets.
  expect(stdout).toContain("33.3 %");
});

test("a run of version 0.1.0 is gone on with, and nothing is asked anew", async () => {
  const before = await filesOf(join(directory, "run-0.1.0", "records"));
  const { code, stderr } = await touchstone("run resume run-0.1.0");
  expect(stderr).not.toMatch(/to do/);
  expect(code).toBe(0);
  expect(await filesOf(join(directory, "run-0.1.0", "records"))).toEqual(before);
});

test("nothing is asked anew of what an earlier version of a step finished", async () => {
  const file = join(directory, "run-0.1.0", "run.json");
  const recipe = JSON.parse(await readFile(file, "utf8"));
  for (const step of recipe.steps) {
    if ("metricVersion" in step.parameters) step.parameters.metricVersion = 0.5;
    if (step.name === "build-prompts") step.parameters.attempts = 7;
  }
  await writeFile(file, JSON.stringify(recipe));
  const before = await filesOf(join(directory, "run-0.1.0", "records"));
  const { code, stderr } = await touchstone("run resume run-0.1.0");
  expect(stderr).not.toMatch(/to do/);
  expect(stderr).toContain("Candidates for prompts: kept as it was finished");
  expect(stderr).toContain("metricVersion of step check-truth was 0.5 and is now 1");
  expect(code).toBe(0);
  expect(await filesOf(join(directory, "run-0.1.0", "records"))).toEqual(before);
});
