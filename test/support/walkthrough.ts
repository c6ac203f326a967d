import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { wordsOf } from "../../src/cli/command-line/shell-words.js";
import { runCommandLine } from "../../src/cli/main.js";
import { exitCodes } from "../../src/cli/report-error.js";
import { commandBlocks } from "../soak/document-commands.js";
import { fakeEnvironment } from "./fake-environment.js";
import type { scriptedOpenAi } from "./scripted-openai.js";
import { temporaryDirectory } from "./temporary-directory.js";

const bin = fileURLToPath(new URL("../../bin/touchstone", import.meta.url));

/**
 * A document that shows a job from start to report: its files, written into an empty folder, and its
 * command lines, in order. The test fails where it leaves one of them out.
 *
 * @param server stands for the one that the document has at http://localhost:8000/v1
 */
export async function walkthrough(
  name: string,
  server: Awaited<ReturnType<typeof scriptedOpenAi>>,
) {
  const path = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  const markdown = await readFile(path, "utf8");
  const directory = await temporaryDirectory();
  for (const { groups = {} } of markdown.matchAll(
    /^`(?<file>[\w./-]+)`:\n\n```\w+\n(?<text>.*?)^```$/gms,
  )) {
    const { file = "", text = "" } = groups;
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(
      join(directory, file),
      text.replaceAll("http://localhost:8000/v1", server.baseUrl),
    );
  }
  const lines = commandBlocks(markdown)
    .flatMap(({ script }) => script.trim().split("\n"))
    .map((line) => wordsOf(line));
  // The words after `touchstone`; other programs, such as mkdir, are left to the test.
  const commands = lines.flatMap(([program, ...words]) =>
    program === "touchstone" ? [words] : [],
  );
  const left = new Set<readonly string[]>(commands);
  onTestFinished(() =>
    expect(
      [...left].map((words) => words.join(" ")),
      "commands that the test did not run",
    ).toEqual([]),
  );
  return {
    directory,
    commands,
    read: (file: string) => readFile(join(directory, file), "utf8"),
    /** Runs a command. Returns what it printed, also as one line of single blanks. */
    async run(
      words: readonly string[] = [],
      { code = exitCodes.done, more = [] }: { code?: number; more?: readonly string[] } = {},
    ) {
      left.delete(words);
      const { variables } = server;
      const environment = fakeEnvironment({ workingDirectory: directory, variables });
      const given = [...words, ...more];
      const ended = await runCommandLine(given, environment);
      const { stdout, stderr } = environment.written;
      expect([given.join(" "), ended, stderr]).toEqual([given.join(" "), code, expect.any(String)]);
      return { stdout, stderr, plain: stdout.replace(/\s+/g, " ") };
    },
    /** Begins a command as a process of its own, and kills it at the first call when it is time. */
    async kill(words: readonly string[] = [], isTime: () => boolean) {
      left.delete(words);
      const child = spawn(process.execPath, [bin, ...words], {
        cwd: directory,
        env: { PATH: process.env.PATH, ...server.variables },
        stdio: "ignore",
      });
      server.listener = () => {
        if (isTime()) child.kill("SIGKILL");
      };
      const [, signal] = await once(child, "close");
      server.listener = undefined;
      expect(signal).toBe("SIGKILL");
    },
  };
}
