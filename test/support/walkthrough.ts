import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { wordsOf } from "../../src/cli/command-line/shell-words.js";
import { commandBlocks } from "../soak/document-commands.js";
import { temporaryDirectory } from "./temporary-directory.js";

/**
 * A document that shows a job from start to report: its files, written into an empty folder, and its
 * command lines, in order.
 *
 * @param baseUrl where the server is that the document has at http://localhost:8000/v1
 */
export async function walkthrough(name: string, baseUrl: string) {
  const path = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  const markdown = await readFile(path, "utf8");
  const directory = await temporaryDirectory();
  for (const { groups = {} } of markdown.matchAll(
    /^`(?<file>[\w./-]+)`:\n\n```\w+\n(?<text>.*?)^```$/gms,
  )) {
    const { file = "", text = "" } = groups;
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), text.replaceAll("http://localhost:8000/v1", baseUrl));
  }
  const lines = commandBlocks(markdown)
    .flatMap(({ script }) => script.trim().split("\n"))
    .map((line) => wordsOf(line));
  return {
    directory,
    /** The words after `touchstone` of the commands, in order; others, such as mkdir, are left out. */
    commands: lines.flatMap(([program, ...words]) => (program === "touchstone" ? [words] : [])),
  };
}
