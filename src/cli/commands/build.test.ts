import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { runCommandLine } from "../run-command-line.js";

async function build(workingDirectory: string, ...words: readonly string[]) {
  const environment = fakeEnvironment({ workingDirectory });
  const code = await runCommandLine(["build", "--run", "run", ...words], environment);
  return { code, ...environment.written };
}

test("more prompts than there are leave nothing behind that blocks the corrected command", async () => {
  const directory = await temporaryDirectory();
  const { code, stdout } = await build(directory, "--prompts", "999999");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(await readdir(directory)).toEqual([]);
  expect(await build(directory, "--prompts", "12")).toMatchObject({ code: 0 });
});
