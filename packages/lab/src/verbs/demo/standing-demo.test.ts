import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommandLine } from "touchstone-t2i/internal/cli/main.js";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";
import { keepDemo, standingDemo } from "./standing-demo.js";

const made = { text: "What came out.", json: '{"run":"run"}', report: "run/report.html" };

test("what a demo came to stands until a file of its folder changes, or what is asked", async () => {
  const place = { folder: await temporaryDirectory(), asked: { size: "small" } };
  expect(await standingDemo(place)).toBeUndefined();
  const record = join(place.folder, "records/01-build-prompts.jsonl");
  await mkdir(join(place.folder, "records"));
  await writeFile(record, "{}\n");
  await keepDemo(made, place);
  expect(await standingDemo(place)).toEqual(made);
  expect(await standingDemo({ ...place, asked: { size: "full" } })).toBeUndefined();
  await utimes(record, 1, 1);
  expect(await standingDemo(place)).toBeUndefined();
  await writeFile(join(place.folder, "demo.json"), "{");
  expect(await standingDemo(place)).toBeUndefined();
});

async function inFolderWithDemo() {
  const workingDirectory = await temporaryDirectory();
  const folder = join(workingDirectory, "run");
  await mkdir(folder);
  const environment = fakeEnvironment({ workingDirectory });
  const asked = {
    size: "small",
    run: "run",
    chapter: [],
    runtime: "wasm",
    unchecked: false,
    seed: null,
    shown: [environment.stdout.columns, ""],
  };
  await keepDemo(made, { folder, asked });
  return environment;
}

test("a demo that stands is told again, and nothing of it is made", async () => {
  const environment = await inFolderWithDemo();
  expect(await runCommandLine(["demo", "--size", "small", "--run", "run"], environment)).toBe(0);
  const { stdout, stderr } = environment.written;
  expect(stdout).toContain("What came out.\n");
  expect(stdout).toContain("studio run");
  expect(stderr).toContain("Nothing has changed since this demo was made.");
});
