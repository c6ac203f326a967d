import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pairServer } from "../../../../test/support/pair-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

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
  expect(await readFile(join(directory, "results.jsonl"), "utf8")).toContain("p24");
});
