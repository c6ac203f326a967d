import { describe, expect, it } from "vitest";
import { runCommandLine } from "../src/cli/main.js";
import { displayWidth } from "../src/cli/terminal/wrap.js";
import { verbs } from "../src/cli/verbs.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { listedCommands } from "./support/listed-commands.js";
import { sampleCommands } from "./support/sample-commands.js";

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

const samples = await sampleCommands();

describe.each([60, 80, 120])("at %i columns", (columns) => {
  it("no line of any help is wider", async () => {
    const paths = (await listedCommands(verbs)).map(({ path }) => path.split(" "));
    for (const path of [[], ...paths.map((words) => words.slice(0, -1)), ...paths]) {
      const help = await printed([...path, "--help"], columns);
      expect(tooWide(help, columns), path.join(" ")).toEqual([]);
    }
  });

  it.each(["metrics models", "metrics", "evidence sets", "score ."])(
    "no line of %s is wider",
    async (line) => {
      expect(tooWide(await printed(line.split(" "), columns), columns)).toEqual([]);
    },
  );

  it.each(samples)("no line of $path is wider, and no figure is cut", async (each) => {
    const { path, flags, quick, isPlain, sample } = each;
    const details = isPlain ? ["--details"] : [];
    const words = [...path.split(" "), "-", ...flags, ...quick, ...details];
    const text = await printed(words, columns, sample);
    expect(tooWide(text, columns)).toEqual([]);
    expect(text).not.toContain("…");
  });
});
