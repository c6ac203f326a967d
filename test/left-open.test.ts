import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { knownStudy } from "./support/known-study.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

/** What Node says of files that were open when they were collected. */
async function collected(words: readonly string[]): Promise<string> {
  const { directory } = await knownStudy();
  const given = ["--expose-gc", at("support/left-open.mjs"), directory, ...words];
  const { stderr } = await run(process.execPath, given).catch((error: { stderr: string }) => error);
  return stderr;
}

test("who closes neither a study nor a run leaves no file open", async () => {
  expect(await collected([at("fixtures/run-0.2.0/proto")])).toBe("");
});

test("a file that is left open is found", async () => {
  expect(await collected([at("fixtures/run-0.2.0/proto"), "leave"])).toContain(
    "garbage collection",
  );
});
