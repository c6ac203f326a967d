import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { nextCommandsIn } from "../../../../test/support/next-commands.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { wordsOf } from "../../command-line/shell-words.js";
import { runCommandLine } from "../../main.js";

async function run(words: readonly string[], stdin = "") {
  return touchstoneHere(words, { stdin });
}

test("lists the verbs that have a sample", async () => {
  const { code, stdout } = await run(["example"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^contrastive /m);
});

test("the sample of contrastive is read by contrastive, in either format alike", async () => {
  const flags = ["--resamples", "100", "--json"];
  const conclusions = [];
  for (const format of ["csv", "jsonl"]) {
    const sample = await run(["example", "contrastive", "--format", format]);
    expect(sample.code).toBe(0);
    const { code, stdout } = await run(["analyze", "contrastive", "-", ...flags], sample.stdout);
    expect(code).toBe(0);
    conclusions.push(JSON.parse(stdout));
  }
  expect(conclusions[0]).toEqual(conclusions[1]);
  expect(conclusions[0]).toMatchObject({ n: 15, unscored: 1 });
  expect(Object.keys(conclusions[0].metrics)).toEqual(["clip-score", "vqa-score"]);
});

test("--json gives the rows, null where unscored", async () => {
  const { rows } = JSON.parse((await run(["example", "contrastive", "--json"])).stdout);
  expect(rows).toHaveLength(16);
  expect(rows.filter((row: { adversarial: unknown }) => row.adversarial === null)).toHaveLength(1);
});

test("a verb without one is named with those that have one", async () => {
  const { code, stderr } = await run(["example", "contrasive"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean contrastive?");
});

test("--out writes an example with images, which the next command reads; nothing is written over", async () => {
  const workingDirectory = await temporaryDirectory();
  const environment = fakeEnvironment({ workingDirectory });
  expect(await runCommandLine(["example", "study", "--out", "set"], environment)).toBe(0);
  const [next = ""] = nextCommandsIn(environment.written.stdout);
  expect(wordsOf(next).slice(1)).toEqual([
    ...["study", "create", "set/study.yaml", "--run", "studies/first"],
  ]);
  const create = fakeEnvironment({ workingDirectory });
  expect(await runCommandLine(wordsOf(next).slice(1), create)).toBe(0);
  expect(await readdir(join(workingDirectory, "set", "images"))).toHaveLength(12);
  const again = fakeEnvironment({ workingDirectory });
  expect(await runCommandLine(["example", "audit", "--out", "set"], again)).toBe(2);
  expect(again.written.stderr).toContain("Expected an empty or new folder for --out");
});

test("the example of score has as many images as it says", async () => {
  const workingDirectory = await temporaryDirectory();
  const environment = fakeEnvironment({ workingDirectory });
  expect(await runCommandLine(["example", "score", "--out", "set"], environment)).toBe(0);
  const images = await readdir(join(workingDirectory, "set", "images"));
  expect(environment.written.stdout).toContain(`${images.length} images with captions`);
});

test("an example with images asks for a folder, one without takes none", async () => {
  expect((await run(["example", "calibrate"])).stderr).toContain("--out DIR");
  for (const [verb, file] of [
    ["swap", "swap.csv"],
    ["study-image-ratings", "study.yaml"],
  ] as const) {
    const { code, stdout, stderr } = await run(["example", verb, "--out", "x"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(
      `It has no images, and is printed: touchstone example ${verb} > ${file}`,
    );
  }
});
