import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { sealedJudge } from "../../src/judges/judge-artefact.js";
import { questionItself } from "../../src/judges/judge-images-step.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { savedJudge } from "../support/saved-judge.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

/** Certified for nothing, so that nobody is asked. */
const judge = savedJudge({
  command: ["labels.csv", "--model", "lab:vqa"],
  task: "yes-no",
  model: { model: "lab:vqa" },
  way: "probability",
  prompts: [questionItself],
});
const sealed = sealedJudge(judge);
const sound = "image,question\na.png,Is there a dog?\n";

interface Case {
  readonly saved?: string | Uint8Array;
  readonly table?: string | Uint8Array;
  readonly words?: readonly string[];
  readonly message: RegExp;
}

test.each<[string, Case]>([
  ["a sound table whose image is not there", { message: /1 of 1 images can't be judged/ }],
  ["an empty judge", { saved: "", message: /Expected a judge that calibrate saved in judge.json/ }],
  ["a judge cut short", { saved: sealed.slice(0, 200), message: /received something else/ }],
  ["a changed judge", { saved: sealed.replace("0.95", "0.5"), message: /changed since/ }],
  [
    "an older judge",
    { saved: sealed.replace('"version": 3', '"version": 1'), message: /version 1/ },
  ],
  ["bytes for a judge", { saved: Uint8Array.of(0, 255, 254), message: /received something else/ }],
  ["no rows", { table: "image,question\n", message: /Expected rows in table.csv/ }],
  ["no file", { words: ["--judge", "other.json"], message: /other.json/ }],
  [
    "pairs",
    { table: "id,caption,image_a,image_b\n1,x,a.png,b.png\n", message: /table.csv holds pairs/ },
  ],
  ["ratings", { table: "image,text\na.png,x\n", message: /table.csv holds images/ }],
  ["other columns", { table: "a,b\n1,2\n", message: /Expected the column image in table.csv/ }],
  ["no question", { table: "image,question\na.png,\n", message: /Expected a text for question/ }],
  ["no image", { table: "image,question\n,Is it?\n", message: /table.csv, line 2/ }],
  [
    "a question twice",
    {
      table: `${sound}a.png,Is there a dog?\n`,
      message: /stands in line 2 already \(in table.csv, line 3\)/,
    },
  ],
  ["UTF-16", { table: Buffer.from(`\ufeff${sound}`, "utf16le"), message: /Expected UTF-8/ }],
  ["an open quotation mark", { table: `${sound}"a.png`, message: /closing quotation mark/ }],
  ["a field too many", { table: `${sound}a.png,x,y\n`, message: /fields, as in the header/ }],
  ["a threshold below chance", { words: ["--threshold", "0.2"], message: /from 0.5 to 1/ }],
  ["an impossible target", { words: ["--target-error", "2"], message: /between 0 and 1/ }],
])("judge refuses %s", async (_, { saved = sealed, table = sound, words = [], message }) => {
  const workingDirectory = await temporaryDirectory();
  await writeFile(join(workingDirectory, "judge.json"), saved);
  await writeFile(join(workingDirectory, "table.csv"), table);
  const environment = fakeEnvironment({ workingDirectory });
  const code = await runCommandLine(["judge", "table.csv", ...words, "--json"], environment);
  expect({ code, stdout: environment.written.stdout }).toEqual({ code: 2, stdout: "" });
  const { error } = JSON.parse(environment.written.stderr);
  const said = [error.message, ...(error.problems ?? [])].join("\n");
  expect(said).toMatch(message);
  expect(said.length).toBeLessThan(1000);
});
