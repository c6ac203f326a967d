import { existsSync, readFileSync } from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { shellWords } from "./command-line/shell-words.js";
import type { Environment } from "./environment.js";

/**
 * How this program was called, as a person would type it again: `touchstone` where it is
 * installed, `npx touchstone` where a project has it, `uvx touchstone-t2i` in an environment that uv made for this call,
 * `./bin/touchstone` in a clone.
 */
export function programName({
  script,
  workingDirectory,
  variables,
  hasLab = existsSync(toolFile("../touchstone-t2i-lab/package.json")),
}: {
  readonly script: string;
  readonly workingDirectory: string;
  readonly variables: Environment["variables"];
  /** Whether the lab was asked for beside it. */
  readonly hasLab?: boolean;
}): string {
  const folder = dirname(script);
  if (folder.endsWith(join("node_modules", ".bin"))) return "npx touchstone";
  // uv names such an environment's folder by its kind and the version of its layout.
  if (/[/\\](archive|environments)-v\d+[/\\]/.test(folder)) {
    return `uvx ${hasLab ? "--from 'touchstone-t2i[lab]' " : ""}touchstone-t2i`;
  }
  if ((variables.PATH ?? "").split(delimiter).includes(folder)) return "touchstone";
  const path = relative(workingDirectory, script);
  if (path.startsWith("..")) return shellWords([script]);
  return shellWords([path === basename(path) ? `./${path}` : `./${path.replaceAll("\\", "/")}`]);
}

/** A text that names command lines, with the program called as it was called this time. */
export function asTyped(text: string, { program }: Pick<Environment, "program">): string {
  return text.replace(/(?<![\w./-])(?:npx )?touchstone(?= (?:[a-z]|--|VERB\b))/g, () => program);
}

/** The address of a file of this package, such as "data/examples". */
export const toolFile = (name: string): URL => new URL(`../../${name}`, import.meta.url);

/** The version in package.json. */
export function version(): string {
  const content: unknown = JSON.parse(readFileSync(toolFile("package.json"), "utf8"));
  if (typeof content === "object" && content !== null && "version" in content) {
    return String(content.version);
  }
  return "unknown";
}
