import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { touchstoneHere } from "../support/touchstone-here.js";
import type { MalformedTable } from "./malformed-table.js";
import { csvOf, type TableVerb, tableVerbs } from "./verbs.js";
import { wrongTables } from "./wrong-tables.js";

async function analyze(
  verb: TableVerb,
  { file, content, words = [] }: Omit<MalformedTable, "name" | "becomes">,
) {
  const workingDirectory = await temporaryDirectory();
  await writeFile(join(workingDirectory, file), content);
  const line = [...verb.name.split(" "), file, ...verb.words, ...words, "--json"];
  return touchstoneHere(line, { workingDirectory });
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
  let sound: ReturnType<typeof analyze> | undefined;
  const readSound = () => {
    sound ??= analyze(verb, { file: "table.csv", content: csvOf(verb) });
    return sound;
  };

  test("the sound table", async () => {
    const read = await readSound();
    expectSound(verb, read);
    if (verb.holds instanceof RegExp) return;
    expect(JSON.parse(read.stdout)).toMatchObject(verb.holds);
  });

  test.each(wrongTables(verb))("$name", async ({ becomes, ...table }) => {
    const { code, stdout, stderr } = await analyze(verb, table);
    if (becomes === "the same") {
      expectSound(verb, { code, stderr });
      if (verb.holds instanceof RegExp) return;
      expect(JSON.parse(stdout)).toEqual(JSON.parse((await readSound()).stdout));
      return;
    }
    if ("like" in becomes) {
      const other = await analyze(verb, { ...table, content: becomes.like });
      // A refusal says what was received.
      const said = (text: string) =>
        text
          .replace(/received \\"(?:nan?|null)\\"/gi, "received NA")
          .replace(/received \\"FALSE\\"/, 'received \\"0\\"');
      // A sentence names the words that were read as no answer.
      const shown = (text: string) => text.replace(/\n *"Read as no answer[^\n]*"(?=,?\n)/, "");
      expect({ code, stdout: shown(stdout), stderr: said(stderr) }).toEqual({
        code: other.code,
        stdout: shown(other.stdout),
        stderr: said(other.stderr),
      });
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
