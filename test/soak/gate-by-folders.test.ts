import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.js";

// A changed generator as a person would judge it: the lab's painter against itself with more errors, by folders.

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const path = [file("bin"), process.env.PATH].join(delimiter);
const metric = "--metric vqa-score=lab:vqa";

const places = ["a park", "a garden", "a room", "the snow"];
const things = ["plants", "laptops", "bags", "books", "chairs"];
const texts = places.flatMap((place) =>
  things.map(
    (thing, at) => `A person is in ${place} with exactly ${["two", "four"][at % 2]} ${thing}.`,
  ),
);

test("from the number of prompts to the comment of a pull request", async () => {
  const cwd = await temporaryDirectory();
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    spawnSync("bash", ["-c", line], { cwd, encoding: "utf8", env: { PATH: path, ...env } });
  const touchstone = (words: string) => {
    const { status, stdout, stderr } = run(`touchstone ${words}`);
    expect(status, stderr).toBe(0);
    return stdout;
  };
  await writeFile(join(cwd, "prompts.csv"), ["text", ...texts].join("\n"));
  for (const [folder, how] of [
    ["before", "--seed 0"],
    ["again", "--seed 1"],
    ["now", "--seed 0 --defects demo"],
  ] as const) {
    touchstone(`generate prompts.csv --out ${folder} --samples 3 ${how}`);
  }
  for (const folder of ["before", "again"]) {
    touchstone(`score ${folder} ${metric} --out ${folder}.jsonl`);
  }
  const margin = "--not-worse 0.1";
  const { prompts } = JSON.parse(
    touchstone(`compare before.jsonl ${margin} --power 0.8 --self again.jsonl --json`),
  );
  expect(prompts).toBeLessThanOrEqual(texts.length);
  touchstone("compare before.jsonl --out accepted.json");
  const { gate } = JSON.parse(
    touchstone(`compare again.jsonl --baseline accepted.json ${margin} --self again.jsonl --json`),
  );
  expect(gate).toMatchObject({ passed: true, models: [{ state: "as-good" }] });
  const { images } = JSON.parse(touchstone("compare before now --json"));
  expect(images.pairs).toBe(3 * texts.length);
  expect(images.changed.value).toBeGreaterThan(0);
  const missed = run(`bash "${file("action/gate.sh")}"`, {
    GATE_IMAGES: "now",
    GATE_SCORE_ARGUMENTS: metric,
    GATE_BASELINE: "accepted.json",
    GATE_NOT_WORSE: "0.01",
    GATE_FAIL_ON: "defect",
    GATE_COMMAND: "touchstone",
    GATE_FOLDER: "gate",
  });
  expect(missed.status, missed.stderr).toBe(4);
  const comment = await readFile(join(cwd, "gate/comment.md"), "utf8");
  expect(comment).toContain("Gate missed");
  expect(comment).toContain("before: lab:painter@no-defects");
});
