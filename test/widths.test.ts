import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../src/cli/command-line/run-command-line.js";
import { displayWidth } from "../src/cli/terminal/terminal-table.js";
import { verbs } from "../src/cli/verbs.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { listedCommands } from "./support/listed-commands.js";

/** What a line may hold beside its margin where it is wider: one word, or a command to be pasted. */
const unbreakable = /^\s*(\S+|(Next:|Usage:) .*|(- )?(\w+=\S+ )?touchstone .*)$/;

async function printed(words: readonly string[], columns: number, stdin = "") {
  const environment = fakeEnvironment({ columns, stdin });
  expect(await runCommandLine(words, environment)).toBe(0);
  return environment.written.stdout + environment.written.stderr;
}

const tooWide = (text: string, columns: number) =>
  text.split("\n").filter((line) => displayWidth(line) > columns && !unbreakable.test(line));

const sampleCommands = [
  ["analyze", "agreement", "--scale", "ordinal"],
  ["analyze", "attributes"],
  ["analyze", "calibration"],
  ["analyze", "contrastive"],
  ["analyze", "correlation", "--human", "rating"],
  ["analyze", "ensemble", "--permutations", "100"],
  ["analyze", "significance", "--permutations", "100"],
  ["analyze", "stereotypes"],
  ["analyze", "swap"],
  ["compare", "--permutations", "100"],
  ["card"],
];

describe.each([60, 80, 120])("at %i columns", (columns) => {
  it("no line of any help is wider", async () => {
    for (const { path } of await listedCommands(verbs)) {
      const help = await printed([...path.split(" "), "--help"], columns);
      expect(tooWide(help, columns), path).toEqual([]);
    }
  });

  it.each(sampleCommands.map((words) => ({ title: words.join(" "), words })))(
    "no line of $title is wider, and no figure is cut",
    async ({ words }) => {
      const verb = words[0] === "analyze" ? words[1] : words[0];
      const sample = new URL(`../data/examples/${verb}.csv`, import.meta.url);
      const text = await printed(
        [...words, "-", ...(verb === "significance" ? [] : ["--resamples", "100"])],
        columns,
        await readFile(sample, "utf8"),
      );
      expect(tooWide(text, columns)).toEqual([]);
      expect(text).not.toContain("…");
    },
  );
});
