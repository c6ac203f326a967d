import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sharedArguments } from "../src/cli/command-line/command.js";
import { parseArguments } from "../src/cli/command-line/parse-arguments.js";
import { findCommand } from "../src/cli/main.js";
import { wordsOn } from "../src/cli/verbs/evidence/evidence-sets.js";
import { verbs } from "../src/cli/verbs.js";
import { evidenceSets } from "../src/evidence/sets.js";
import { touchstoneHere } from "./support/touchstone-here.js";

/** Data of others, which no clone has. */
const data = fileURLToPath(new URL("../../shared/data", import.meta.url));
const commands = evidenceSets().flatMap(({ name, tables }) =>
  (tables?.commands ?? []).map((command) => ({ ...command, name, file: tables?.file ?? "" })),
);

test("every command names a verb with flags that it has", async () => {
  for (const { words, name } of commands) {
    const root = { description: "", examples: ["touchstone"] as const, verbs };
    const { rest, found } = await findCommand(wordsOn(words, "data.json"), root);
    if (found.kind === "group") throw new Error(`${name}: ${words.join(" ")} is no command`);
    const declared = { ...found.arguments, ...sharedArguments };
    // Most verbs take several files.
    const given: object = parseArguments(rest, declared, name);
    expect("file" in given && [given.file].flat()).toEqual(["data.json"]);
  }
});

test("one is shown with its licence and commands, and a wrong name with the right one", async () => {
  const shown = await touchstoneHere(["evidence", "sets", "tifa160"]);
  expect(shown.stdout).toContain("licence: Apache-2.0");
  expect(shown.stdout).toContain("analyze correlation human_annotations_with_scores.json");
  const { code, stderr } = await touchstoneHere(["evidence", "sets", "tifa16"]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("tifa160?"),
  });
});

describe.skipIf(!existsSync(data))("on the data beside this repository, or skipped", () => {
  test.each(commands)("$name: $computes", async ({ words, file, gives = {} }) => {
    const { stdout, stderr } = await touchstoneHere([
      ...wordsOn(words, join(data, file)),
      "--json",
    ]);
    expect(stderr).toBe("");
    const found: unknown = JSON.parse(stdout);
    for (const [path, value] of Object.entries(gives)) {
      const member = path.split("/").reduce<unknown>((inner, name) => Object(inner)[name], found);
      expect({ path, member: Number(member).toFixed(4) }).toEqual({
        path,
        member: value.toFixed(4),
      });
    }
  });
});
