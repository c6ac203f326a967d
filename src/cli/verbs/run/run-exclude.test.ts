import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSampleRun } from "../../../../test/report/sample-run.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { openStore } from "../../../files/open-store.js";

let workingDirectory = "";
let prompts: string[] = [];

beforeAll(async () => {
  workingDirectory = await mkdtemp(join(tmpdir(), "touchstone-"));
  const directory = join(workingDirectory, "run");
  await makeSampleRun(directory);
  const found = new Set<string>();
  for await (const { prompt } of (await openStore(directory)).ofType("image")) found.add(prompt);
  prompts = [...found];
});

afterAll(() => rm(workingDirectory, { recursive: true, force: true }));

const run = (...words: string[]) => touchstoneHere(words, { workingDirectory });

const concluded = async () => {
  const { stdout } = await run("report", "run", "--json", "--unfiltered");
  const { warnings = [], verdict } = JSON.parse(stdout);
  return { warnings: warnings.join(), figures: verdict.join(" ") };
};

test("triplets of a file leave the report and studies, and come back", async () => {
  const before = await concluded();
  const rows = `triplet,reason\n${prompts[0]}/0,blurred\n${prompts[1]},two robins\n`;
  await writeFile(join(workingDirectory, "excluded.csv"), rows);
  const { code, stdout } = await run("run", "exclude", "run", "excluded.csv", "--json");
  expect(code).toBe(0);
  const triplets = JSON.parse(stdout).excluded.map(({ triplet }: { triplet: string }) => triplet);
  expect(triplets).toEqual([`${prompts[0]}/0`, `${prompts[1]}/0`, `${prompts[1]}/1`]);
  const without = await concluded();
  expect(without.warnings).toContain(
    "3 triplets are excluded by hand: blurred (1); two robins (2)",
  );
  expect(without.figures).not.toBe(before.figures);

  const study = { title: "t", consent: "yes", blocks: [{ protocol: "rating", from: "run" }] };
  await writeFile(join(workingDirectory, "study.yaml"), JSON.stringify(study));
  const made = ["study", "create", "study.yaml", "--unfiltered", "--lint", "--json"];
  const asked = async () => JSON.parse((await run(...made)).stdout).blocks[0].items;
  const fewer = await asked();

  await run("run", "exclude", "run", "--none");
  expect(await concluded()).toEqual(before);
  expect(await asked()).toBeGreaterThan(fewer);
});

test("what names no triplet of the run is listed by line, and nothing is changed", async () => {
  await writeFile(join(workingDirectory, "wrong.csv"), "triplet,reason\nnobody,why\n");
  const { code, stderr } = await run("run", "exclude", "run", "wrong.csv");
  expect(code).toBe(2);
  expect(stderr).toContain("line 2: the run has no triplet nobody");
  expect(JSON.parse((await run("run", "exclude", "run", "--json")).stdout).excluded).toEqual([]);
});
