import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommandLine } from "touchstone-t2i/internal/cli/main.js";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";
import { experimentSeed } from "../../lab-experiment.js";

/** A demo that is stopped before it asks for anything, so that only its folder is made. */
async function begun(workingDirectory: string, ...words: readonly string[]) {
  const environment = fakeEnvironment({ workingDirectory });
  environment.interrupt();
  await runCommandLine(["demo", ...words], environment);
  return environment.written;
}

const commandsIn = async (folder: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, "run.json"), "utf8")).commands;

test("each size has a folder and a seed of its own where none is named", async () => {
  const directory = await temporaryDirectory();
  await begun(directory, "--size", "small");
  await begun(directory);
  await begun(directory, "--size", "full");
  expect((await readdir(join(directory, "runs"))).sort()).toEqual([
    "demo",
    "demo-full",
    "demo-small",
  ]);
  expect(await commandsIn(join(directory, "runs/demo-small"))).toEqual([
    `touchstone demo --size small --run runs/demo-small --seed ${experimentSeed("small")}`,
  ]);
  expect(await commandsIn(join(directory, "runs/demo"))).toEqual([
    `touchstone demo --size medium --run runs/demo --seed ${experimentSeed("medium")}`,
  ]);
  expect(await commandsIn(join(directory, "runs/demo-full"))).toEqual([
    `touchstone demo --size full --run runs/demo-full --seed ${experimentSeed("full")}`,
  ]);
});

test("another size on a run is refused, is not noted in it, and is not the way out", async () => {
  const directory = await temporaryDirectory();
  await begun(directory, "--size", "small", "--run", "run");
  const before = await readFile(join(directory, "run/run.json"), "utf8");
  const { stderr } = await begun(directory, "--size", "full", "--run", "run");
  expect(stderr).toMatch(/received\s+others/);
  expect(stderr).toMatch(
    /continue this\s+one:\s+touchstone demo --size small --run run --seed \d+\n/,
  );
  expect(await readFile(join(directory, "run/run.json"), "utf8")).toBe(before);
});

test("--no-sanity stands in the command that goes on", async () => {
  const directory = await temporaryDirectory();
  await begun(directory, "--size", "small", "--run", "run", "--no-sanity");
  expect(await commandsIn(join(directory, "run"))).toEqual([
    expect.stringMatching(/^touchstone demo .*--no-sanity/),
  ]);
});

test("the recipe names the painter, the rater and the metrics' models", async () => {
  const directory = await temporaryDirectory();
  await begun(directory, "--size", "small", "--run", "run");
  const { models } = JSON.parse(await readFile(join(directory, "run/run.json"), "utf8"));
  const names = models.map((model: string) => model.replace(/@.*$/, ""));
  expect(names).toEqual([
    "lab:painter",
    "lab:filter-vqa",
    "lab:dual-encoder-skewed",
    "lab:dual-encoder-balanced",
    "lab:vqa",
    "lab:rater",
    "lab:proto-score",
  ]);
});
