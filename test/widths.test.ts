import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../src/cli/command-line/run-command-line.js";
import { displayWidth } from "../src/cli/terminal/terminal-table.js";
import { verbs } from "../src/cli/verbs.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { listedCommands } from "./support/listed-commands.js";

/** What stands in one line whatever the width, by name. */
const whole = {
  /** Is pasted. */
  command: /^\s*((Next|Usage): |- )?(\w+=\S+ )?(touchstone|npm install) /,
  pathOrAddress: /^\s*\S*\/\S*$/,
};

async function printed(words: readonly string[], columns: number, stdin = "") {
  const variables = { NO_COLOR: "1" };
  const environment = fakeEnvironment({ columns, stdin, isTerminal: true, variables });
  expect(await runCommandLine(words, environment)).toBe(words.join(" ") === "score ." ? 2 : 0);
  const { stdout, stderr } = environment.written;
  return `${stdout}\n${stderr}`;
}

const tooWide = (text: string, columns: number) =>
  text
    .split("\n")
    .filter((line) => displayWidth(line) > columns)
    .filter((line) => !Object.values(whole).some((kind) => kind.test(line)));

const sampleCommands = [
  ["analyze", "agreement", "--scale", "ordinal"],
  ["analyze", "attributes"],
  ["analyze", "calibration"],
  ["analyze", "contrastive"],
  ["analyze", "correlation", "--human", "rating"],
  ["analyze", "ensemble", "--permutations", "100"],
  ["analyze", "preferences"],
  ["analyze", "significance", "--permutations", "100"],
  ["analyze", "stereotypes"],
  ["analyze", "swap"],
  ["compare", "--permutations", "100"],
  ["card"],
];

describe.each([60, 80, 120])("at %i columns", (columns) => {
  it("no line of any help is wider", async () => {
    const paths = (await listedCommands(verbs)).map(({ path }) => path.split(" "));
    for (const path of [[], ...paths.map((words) => words.slice(0, -1)), ...paths]) {
      const help = await printed([...path, "--help"], columns);
      expect(tooWide(help, columns), path.join(" ")).toEqual([]);
    }
  });

  it.each(["models", "metrics", "datasets", "score ."])("no line of %s is wider", async (line) => {
    expect(tooWide(await printed(line.split(" "), columns), columns)).toEqual([]);
  });

  it.each(sampleCommands.map((words) => ({ title: words.join(" "), words })))(
    "no line of $title is wider, and no figure is cut",
    async ({ words }) => {
      const verb = words[0] === "analyze" ? words[1] : words[0];
      const sample = new URL(`../data/examples/${verb}.csv`, import.meta.url);
      const text = await printed(
        [
          ...words,
          "-",
          ...(verb === "card" ? [] : ["--details"]),
          ...(verb === "significance" ? [] : ["--resamples", "100"]),
        ],
        columns,
        await readFile(sample, "utf8"),
      );
      expect(tooWide(text, columns)).toEqual([]);
      expect(text).not.toContain("…");
    },
  );
});
