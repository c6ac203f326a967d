import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pairServer } from "../../../../test/support/pair-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

test("judge takes another snapshot of the model than was calibrated, and says so", async () => {
  const directory = await temporaryDirectory();
  let answers = 0;
  let state = () => "tiny-2024-01-01";
  const { server } = await pairServer({
    directory,
    labels: 24,
    others: 6,
    answeredBy: () => state(),
  });
  const run = (...words: readonly string[]) =>
    touchstoneHere(words, {
      variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
      workingDirectory: directory,
    });
  const model = ["--model", "openai-compatible:tiny", "--prompts", "3"];
  const calibrated = await run("calibrate", "labels.jsonl", ...model);
  expect(calibrated.code).toBe(0);
  expect(calibrated.stderr).toContain("tiny answers as tiny-2024-01-01");
  expect(calibrated.stderr).not.toMatch(/another model|changed:/);
  const saved = JSON.parse(await readFile(join(directory, "judge.json"), "utf8"));
  expect(saved).toMatchObject({ snapshots: ["tiny-2024-01-01"] });
  expect(saved).not.toHaveProperty("answeredBy");
  state = () => (answers++ % 2 === 0 ? "tiny-2024-02-01" : "tiny-2024-01-01");
  const judged = await run(
    ...["judge", "pairs.jsonl", "--threshold", "0.9", "--out", "results.jsonl"],
  );
  expect(judged.code).toBe(0);
  expect(judged.stderr.match(/tiny-2024-02-01 answers/g)).toHaveLength(1);
  expect(judged.stderr).not.toContain("another model");
  expect(judged.stderr).toMatch(/changed: \d+ as tiny-2024-0\d-01, \d+ as tiny-2024-0\d-01/);
});

test("judge refuses another model than was calibrated, unless it is allowed", async () => {
  const directory = await temporaryDirectory();
  let loaded = "tiny";
  const { server } = await pairServer({
    directory,
    labels: 24,
    others: 6,
    answeredBy: () => loaded,
  });
  const run = (...words: readonly string[]) =>
    touchstoneHere(words, {
      variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
      workingDirectory: directory,
    });
  const model = ["--model", "openai-compatible:tiny", "--prompts", "3"];
  expect((await run("calibrate", "labels.jsonl", ...model)).code).toBe(0);
  loaded = "another";
  const judge = ["judge", "pairs.jsonl", "--threshold", "0.9", "--out", "results.jsonl"];
  const refused = await run(...judge);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("another has answered");
  expect(refused.stderr).toContain("--allow-other-model");
  await expect(readFile(join(directory, "results.jsonl"))).rejects.toThrow();
  const allowed = await run(...judge, "--allow-other-model");
  expect(allowed.code).toBe(0);
  expect(allowed.stderr).toMatch(/another model than was asked: (\d+) of \1 by another/);
  expect(await readFile(join(directory, "results.jsonl"), "utf8")).toContain("p24");
});
