import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { displayWidth } from "touchstone-t2i/internal/cli/terminal/wrap.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tinyWeights } from "../../../../../test/support/tiny-weights.js";
import { touchstoneHere } from "../../../../../test/support/touchstone-here.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evaluate-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function evaluate(...words: readonly string[]) {
  return touchstoneHere(["lab", "evaluate", ...words], { workingDirectory: folder });
}

test("says the verdict first, in 100 columns, and how the numbers were made", async () => {
  const { code, stdout, stderr } = await evaluate("--scenes", "4");
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines[0]).toMatch(/^On held-out pictures lab:vqa answers .* questions rightly/);
  expect(stdout).toContain("Which prefers the prototypical of two right pictures?");
  expect(lines.filter((line) => displayWidth(line) > 100)).toEqual([]);
  for (const told of [
    "about statement",
    "style twemoji",
    "ECE",
    "Weights: 20.5 MB in all",
    "Wilson",
    "one thread",
  ]) {
    expect(stdout).toContain(told);
  }
  // Of one table all rows: the styles stand below what they are of.
  const rowsBelow = (title: string) =>
    stdout
      .slice(stdout.indexOf(`\n${title}`))
      .split("\n")
      .slice(1)
      .join("\n");
  expect(rowsBelow("swapped attributes preferred, %")).toMatch(/^ +in style [\s\S]*?^ECE/m);
  expect(rowsBelow("true sentence above a false one, %")).toMatch(
    /^( +in style .*\n){3}mean of true/m,
  );
  expect(rowsBelow("both pictures are right")).toMatch(/^( +[a-z]+ .*\n){4}( +in style .*\n)+$/m);
  expect(stdout).not.toContain("…");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("Next: touchstone demo");
  expect(stderr).toContain("Retrieval@1 of 100 needs 100 scenes, and there are 4");
});

test("measures other weights, on people and clothes, where masks are", async () => {
  await tinyWeights(folder);
  await writeFile(
    join(folder, "localizer/training.json"),
    JSON.stringify({
      data: [
        { styles: ["noto"], people: 0.6 },
        { styles: ["fluent"], people: 0 },
      ],
    }),
  );
  const words = ["--scenes", "6", "--people", "1", "--models", "localizer", "--weights", "."];
  const { code, stdout } = await evaluate(...words);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^lab:localizer finds \d+ entities with a mean IoU of /);
  for (const told of ["where things are", "of a garment", "not found where it is not, %"]) {
    expect(stdout).toContain(told);
  }
  expect(stdout).toMatch(/lab:localizer gave no answer \d+ times/);
  expect(stdout).toContain(
    "lab:localizer was not trained on style twemoji, fluent with people or clothes;",
  );
});

test("as JSON on standard output and in a file", async () => {
  const words = ["--scenes", "2", "--models", "lab:filter-vqa,filter-vqa", "--json"];
  words.push("--types", "place,hypernym", "--people", "0");
  const { code, stdout, stderr } = await evaluate(...words, "--out", "deep/evaluation.json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const shown = JSON.parse(stdout);
  expect(shown).toMatchObject({
    scenes: 2,
    seed: 0,
    versions: { touchstone: expect.stringMatching(/^\d/), "onnxruntime-web": expect.any(String) },
    questions: 4,
    models: [
      {
        name: "filter-vqa",
        kind: "question-answerer",
        accuracy: { types: { place: { n: 2 }, hypernym: { n: 2 } } },
      },
    ],
  });
  const written = await readFile(join(folder, "deep/evaluation.json"), "utf8");
  expect(JSON.parse(written)).toEqual(shown);
});

test("refuses what it can't do before it does anything", async () => {
  const refusals = [
    [["--models", "vqua"], 'but received "vqua" Did you mean lab:vqa?'],
    [["--out", "evaluation.csv"], 'ends in .json for --out but received "evaluation.csv"'],
    [["--models", "judge", "--weights", "nowhere"], "Expected weights of lab:judge in"],
    [["--types", "sign,groups"], 'but received "groups" Did you mean group?'],
    [["--scenes", "1"], "Expected a whole number from 2 for --scenes"],
  ] as const;
  for (const [words, message] of refusals) {
    const { code, stdout, stderr } = await evaluate(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replace(/\s+/g, " ")).toContain(message);
  }
  expect(await readdir(folder)).toEqual([]);
});

test("a decomposer is judged by the benchmark's structures, or by a table's", async () => {
  const rules = await evaluate("--decomposer", "rules", "--json");
  expect(rules.code).toBe(0);
  const { n, unscored, attributes } = JSON.parse(rules.stdout);
  expect(n + unscored).toBeGreaterThanOrEqual(100);
  expect(attributes.recall.value).toBeGreaterThan(0.5);
  const entities = [{ entity: "skirt", attributes: ["red", "long"] }];
  await writeFile(
    join(folder, "known.jsonl"),
    `${JSON.stringify({ text: "a red skirt and a blue hat", entities })}\n`,
  );
  const own = await evaluate("--decomposer", "rules", "--structures", "known.jsonl", "--json");
  // Skirt is right and hat is not; red skirt is right, long skirt was not said.
  expect(JSON.parse(own.stdout)).toMatchObject({
    n: 1,
    entities: { precision: { value: 0.5 }, recall: { value: 1 } },
    attributes: { precision: { value: 0.5 }, recall: { value: 0.5 } },
  });
  expect((await evaluate("--structures", "known.jsonl")).code).toBe(2);
});
