import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../../test/support/touchstone-here.js";

async function inFolder(workingDirectory: string, ...words: string[]) {
  return touchstoneHere(words, { workingDirectory });
}

async function answersIn(directory: string): Promise<void> {
  const random = randomFrom(4, "answers of a table");
  const lines = Array.from({ length: 160 }, (_, id) => {
    const label = random.chance(0.5) ? 1 : 0;
    const probabilities = Array.from({ length: 5 }, () =>
      random.chance(0.75) === (label === 1) ? 0.5 + random.next() / 2 : random.next() / 2,
    );
    const embedding = [random.next(), random.next(), random.next()];
    return JSON.stringify({ id, label, probabilities, embedding, prompt: `caption ${id >> 1}` });
  });
  await writeFile(join(directory, "answers.jsonl"), `${lines.join("\n")}\n`);
}

test("is the same at any number of workers, and goes on where it was stopped", async () => {
  const directory = await temporaryDirectory();
  await answersIn(directory);
  const grid = ["lab", "experiment", "ensemble", "answers.jsonl", "--small", "--json"];
  const one = await inFolder(directory, ...grid, "--workers", "1");
  expect(one.stderr).toBe("");
  expect(one.code).toBe(0);
  const two = await inFolder(directory, ...grid, "--workers", "2", "--run", "grid");
  expect(two.stdout).toBe(one.stdout);

  const kept = join(directory, "grid", "results");
  const files = (await readdir(kept)).sort();
  const whole = await readFile(join(kept, files[0] ?? ""));
  // One part is gone and one was cut: both are done again, and nothing else.
  await rm(join(kept, files[1] ?? ""));
  await writeFile(join(kept, files[0] ?? ""), whole.subarray(0, 100));
  const again = await inFolder(directory, ...grid.slice(0, 5), "--run", "grid");
  expect(again.stderr).toContain(`${files.length - 2} of ${files.length} parts are there already`);
  expect(await readFile(join(kept, files[0] ?? ""))).toEqual(whole);

  const other = await inFolder(directory, ...grid, "--seed", "1", "--run", "grid");
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("is of another");

  const tables = JSON.parse(one.stdout);
  expect(tables).toMatchObject({ prompts: 5, unscored: 0, reference: { prompts: 5, labels: 20 } });
  expect(again.stdout).toContain("Table 1: ECE by number of labels");
});

test("writes a page with its pictures", async () => {
  const directory = await temporaryDirectory();
  await answersIn(directory);
  const words = ["lab", "experiment", "ensemble", "answers.jsonl", "--small", "--out", "grid.html"];
  expect((await inFolder(directory, ...words)).code).toBe(0);
  const page = await readFile(join(directory, "grid.html"), "utf8");
  expect(page.match(/<svg/g)?.length).toBe(3); // One for a telephone.
  expect(page).toContain("another judge on other data");
});

test("decides the claims of the paper for a table of answers", async () => {
  const directory = await temporaryDirectory();
  await answersIn(directory);
  const words = ["lab", "experiment", "claims", "answers.jsonl", "--resamples", "100", "--json"];
  const { code, stdout, stderr } = await inFolder(directory, ...words, "--out", "claims.html");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { findings, worlds } = JSON.parse(stdout);
  expect(Object.keys(worlds)).toEqual(["all"]);
  // 14 claims about MMB for each of four objectives, and two of others.
  expect(findings).toHaveLength(58);
  for (const { outcome, estimate, pAdjusted, reason } of findings) {
    if (outcome === "undecided") expect(reason).toBeTypeOf("string");
    else {
      expect(pAdjusted).toBeLessThan(0.05);
      expect(Math.sign(estimate.low)).toBe(Math.sign(estimate.high));
    }
  }
  expect(await readFile(join(directory, "claims.html"), "utf8")).toContain("Reliability, all");
});

test("names rows that are not alike", async () => {
  const directory = await temporaryDirectory();
  await writeFile(
    join(directory, "bad.jsonl"),
    `{"id": 1, "label": 1, "probabilities": [0.1, 0.2], "embedding": [1, 2]}
{"id": 2, "label": 0, "probabilities": [0.1], "embedding": [1, 2, 3]}
`,
  );
  const { code, stderr } = await inFolder(directory, "lab", "experiment", "ensemble", "bad.jsonl");
  expect(code).toBe(2);
  expect(stderr).toContain("Expected 2 probabilities but received 1");
  expect(stderr).toContain("Expected 2 numbers for embedding but received 3");
});
