import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

/** Gives a command line where these files are, and expects one clear message and nothing else. */
async function expectRefused(
  line: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  message: RegExp,
) {
  const workingDirectory = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(workingDirectory, name), content);
  }
  await mkdir(join(workingDirectory, "empty"));
  const environment = fakeEnvironment({ workingDirectory });
  const code = await runCommandLine([...line.split(" "), "--json"], environment);
  expect({ code, stdout: environment.written.stdout }).toEqual({ code: 2, stdout: "" });
  const { error } = JSON.parse(environment.written.stderr);
  const said = [error.message, ...(error.problems ?? [])].join("\n");
  expect(said).toMatch(message);
  expect(said.length).toBeLessThan(2000);
  expect(said).not.toMatch(/\n\s+at /);
}

describe("audit", () => {
  const sound = "generators: [lab:painter-slight]\njudge: lab:auditor\nrefiner: lab:refiner\n";
  test.each([
    ["a list", "[]\n", /expected object but received \[\]/],
    [
      "a bracket that is not closed",
      "generators: [lab:painter-slight\n",
      /Expected YAML in config.yaml/,
    ],
    ["a member that there is none of", `${sound}jugde: lab:auditor\n`, /jugde/],
    ["text for a number", `${sound}seed: many\n`, /seed/],
    ["a negative number", `${sound}images: -1\n`, /images/],
    ["a member twice", `${sound}judge: lab:auditor\n`, /config.yaml/],
    ["no generator", "generators: []\njudge: lab:auditor\nrefiner: lab:refiner\n", /generators/],
    ["zero bytes", `${sound}\0\0`, /config.yaml/],
  ])("%s as its config", async (_, content, message) => {
    await expectRefused("audit config.yaml --lint", { "config.yaml": content }, message);
  });

  test("no config, a folder in its place, and queries that are none", async () => {
    await expectRefused("audit nowhere.yaml --lint", {}, /nowhere.yaml/);
    await expectRefused("audit empty --lint", {}, /empty/);
    await expectRefused(
      "audit config.yaml --lint --queries queries.yaml",
      { "config.yaml": sound, "queries.yaml": "- [\n" },
      /queries.yaml/,
    );
  });
});

describe("study page", () => {
  test.each([
    ["a folder that is not there", "study page nowhere --out sheet.html", /nowhere/],
    [
      "a folder that is no run and no study",
      "study page empty --out sheet.html",
      /empty is neither/,
    ],
    ["answers without a run", "study page empty --collect a.csv --out b.csv", /empty is neither/],
  ])("%s", async (_, line, message) => {
    await expectRefused(line, {}, message);
  });
});
