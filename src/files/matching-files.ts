import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { InputError } from "../core/errors.js";
import { countText } from "../core/phrases.js";
import { fileError, systemCode } from "./file-error.js";

const magic = /[*?[]/;
/** Most names that the braces of one pattern stand for. */
const mostNames = 100_000;

/**
 * The files that paths and patterns mean, each once, in the order of their names. In a pattern `*` stands for
 * any characters of a name, `?` for one, `[ab]` for one of these, and `**` for any folders in between; hidden
 * files and folders are matched by a pattern that begins with a dot. Braces stand for several patterns:
 * `shard-{000..012}.tar`, as WebDataset writes them, and `{a,b}.csv`; each has to match. A path is taken as it is, and so is a
 * pattern where a file has just that name. "-" is standard input.
 *
 * @throws InputError for a pattern that no file matches.
 * @example await matchingFiles(["scores/*.parquet", "more.csv"], process.cwd())
 */
export async function matchingFiles(
  words: readonly string[],
  workingDirectory: string,
): Promise<string[]> {
  const found = await Promise.all(words.map((word) => filesOf(word, workingDirectory)));
  const byPath = new Map(found.flat().map((name) => [resolve(workingDirectory, name), name]));
  return [...byPath.values()].sort((a, b) => (a < b ? -1 : 1));
}

async function filesOf(word: string, workingDirectory: string): Promise<string[]> {
  const isFile = await isThere(resolve(workingDirectory, word));
  const words = isFile ? [word] : withoutBraces(word);
  if (words.length > 1 || words[0] !== word) {
    return (await Promise.all(words.map((one) => filesOf(one, workingDirectory)))).flat();
  }
  if (!magic.test(word) || isFile) return [word];
  const parts = word.split(sep === "\\" ? /[\\/]/ : "/");
  const fixed = parts.findIndex((part) => magic.test(part));
  const found = await below(
    resolve(workingDirectory, parts.slice(0, fixed).join("/") || (fixed > 0 ? "/" : "")),
    parts.slice(fixed),
  );
  if (found.length === 0) {
    throw new InputError(`Expected files that match ${word} but found none`, {
      hint: "* stands for any part of a name, ** for any folders in between",
    });
  }
  const prefix = parts.slice(0, fixed).map((part) => `${part}/`);
  return found.map((name) => prefix.join("") + name);
}

const braces = /\{(\d+)\.\.(\d+)\}|\{([^{}]*,[^{}]*)\}/;

/**
 * The words that braces stand for, as a shell has it: {08..11} is 08, 09, 10, 11, and {a,b} is a, b.
 *
 * @throws InputError where these are too many.
 */
function withoutBraces(word: string): string[] {
  const found = braces.exec(word);
  if (found === null) return [word];
  const [whole, from = "", to = "", listed] = found;
  const [first, last] = [Number(from), Number(to)];
  const step = last < first ? -1 : 1;
  const count = listed === undefined ? Math.abs(last - first) + 1 : 0;
  if (count > mostNames) {
    throw new InputError(
      `Expected at most ${countText(mostNames)} files but ${word} stands for ${countText(count)}`,
    );
  }
  const width = /^0\d/.test(from) || /^0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  const parts =
    listed === undefined
      ? Array.from({ length: count }, (_, at) => String(first + step * at).padStart(width, "0"))
      : listed.split(",");
  const [before, after] = [word.slice(0, found.index), word.slice(found.index + whole.length)];
  return parts.flatMap((part) => withoutBraces(`${before}${part}${after}`));
}

/** Files in a folder by the patterns of their folders' names and their own. */
async function below(folder: string, patterns: readonly string[]): Promise<string[]> {
  const [pattern = "", ...rest] = patterns;
  const here = async () => (rest.length === 0 ? [] : below(folder, rest));
  if (pattern === "" || pattern === ".") return here();
  const matches = matcherOf(pattern);
  const entries = (await entriesOf(folder)).filter(({ name }) => matches(name));
  const deeper = entries.map(async (entry) => {
    const inside = async (next: readonly string[]) =>
      (await below(join(folder, entry.name), next)).map((name) => `${entry.name}/${name}`);
    if (pattern === "**" && entry.isDirectory()) return inside(patterns);
    if (rest.length > 0) return entry.isFile() || pattern === "**" ? [] : inside(rest);
    return entry.isDirectory() ? [] : [entry.name];
  });
  return [...(pattern === "**" ? await here() : []), ...(await Promise.all(deeper)).flat()];
}

/** Entries of a folder; none where there is no such folder. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
    throw fileError(error, "read", folder);
  }
}

/** Whether a name fits one part of a pattern. */
function matcherOf(pattern: string): (name: string) => boolean {
  const source = pattern.replace(/\[(!?)([^\]]+)\]|\*+|\?|[\\^$.|+(){}[\]]/g, (sign, not, set) => {
    if (set !== undefined) return `[${not ? "^" : ""}${set.replace(/[\\^[]/g, "\\$&")}]`;
    if (sign.startsWith("*")) return ".*";
    return sign === "?" ? "." : `\\${sign}`;
  });
  const whole = expressionOf(`^${source}$`, pattern);
  return (name) => whole.test(name) && (pattern.startsWith(".") || !name.startsWith("."));
}

function expressionOf(source: string, pattern: string): RegExp {
  try {
    return new RegExp(source, "su");
  } catch (cause) {
    throw new InputError(`Expected a range such as [a-c] but received ${pattern}`, { cause });
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );
