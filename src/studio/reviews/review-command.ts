import { dirname, isAbsolute, join, posix, resolve } from "node:path";
import { shellWord } from "../../core/shell-word.js";
import { outsideProblem } from "../../files/outside.js";
import { readTextFile } from "../../files/regular-file.js";
import { openedJudge } from "../../judges/judge-artefact.js";
import { promiseWords } from "../../judges/promise-words.js";
import type { FoundFile } from "../found-files.js";
import type { ReviewTable } from "./review-file.js";

/**
 * The command that fits a queue's judge anew with what people said, as `judge` prints it: with every
 * file of answers that the judge does not know yet.
 *
 * @param options.shown what people call the folder that is shown
 * @returns null where the queue names no judge that can be read
 */
export async function reviewCommand(
  file: FoundFile,
  table: ReviewTable,
  {
    shown,
    folders,
    others,
  }: {
    readonly shown: string;
    readonly folders: readonly string[] | undefined;
    /** Further queues of the same judge with answers in them, by name. */
    readonly others: readonly string[];
  },
): Promise<string | null> {
  if (table.judge === undefined) return null;
  const path = resolve(dirname(file.path), table.judge);
  if (folders !== undefined && (await outsideProblem(path, folders)) !== undefined) return null;
  try {
    const { command, certification } = openedJudge(await readTextFile(path), table.judge);
    const known = new Set(command.filter((_, at) => command[at - 1] === "--add"));
    const added = [...others, file.name].map((name) => join(shown, name));
    const out = isAbsolute(table.judge)
      ? table.judge
      : posix.join(shown, posix.dirname(file.name), table.judge);
    return [
      ...["touchstone", "calibrate", ...command, ...promiseWords(certification)],
      ...added.filter((name) => !known.has(name)).flatMap((name) => ["--add", name]),
      ...["--out", out],
    ]
      .map(shellWord)
      .join(" ");
  } catch {
    return null;
  }
}
