import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/command-line/run-command-line.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import type { MalformedTable } from "./malformed-table.js";
import { csvOf, type TableVerb, tableVerbs } from "./verbs.js";
import { wrongTables } from "./wrong-tables.js";

async function analyze(
  verb: TableVerb,
  { file, content, words = [] }: Omit<MalformedTable, "name" | "becomes">,
) {
  const workingDirectory = await temporaryDirectory();
  await writeFile(join(workingDirectory, file), content);
  const environment = fakeEnvironment({ workingDirectory });
  const line = [...verb.name.split(" "), file, ...verb.words, ...words, "--json"];
  const code = await runCommandLine(line, environment);
  return { code, ...environment.written };
}

/** Read to its end; what a verb needs beside its table is not there. */
function expectSound(
  { holds }: TableVerb,
  { code, stderr }: { readonly code: number; readonly stderr: string },
) {
  if (holds instanceof RegExp) {
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error.message).toMatch(holds);
  } else expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

describe.each(tableVerbs)("$name", (verb) => {
  test("the sound table", async () => {
    const read = await analyze(verb, { file: "table.csv", content: csvOf(verb) });
    expectSound(verb, read);
    if (verb.holds instanceof RegExp) return;
    expect(JSON.parse(read.stdout)).toMatchObject(verb.holds);
  });

  test.each(wrongTables(verb))("$name", async ({ becomes, ...table }) => {
    const { code, stdout, stderr } = await analyze(verb, table);
    if (becomes === "the same") {
      expectSound(verb, { code, stderr });
      if (verb.holds instanceof RegExp) return;
      const sound = await analyze(verb, { file: "table.csv", content: csvOf(verb) });
      expect(JSON.parse(stdout)).toEqual(JSON.parse(sound.stdout));
      return;
    }
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const { error } = JSON.parse(stderr);
    const [said = error.message] = error.problems;
    expect(said).toMatch(becomes.refused);
    expect(said).toContain(table.file);
    expect(said.length).toBeLessThan(1000);
    if (becomes.line !== undefined) expect(said).toMatch(new RegExp(`line ${becomes.line}\\)$`));
  });
});
