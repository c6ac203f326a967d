import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { StoredEntry } from "../../core/record-store.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import { checkRegular, UnreadableFile } from "../regular-file.js";
import type { StepFiles } from "./step-files.js";

/**
 * Every line of a step's file and of its segments, whole or not. A last line of a segment that is
 * torn is no damage: its process was killed, and its task is asked for again.
 */
export async function* storedEntries(files: StepFiles): AsyncGenerator<StoredEntry> {
  const segments = (await files.segments()).map(({ path }) => ({ path, isInOrder: false }));
  for (const { path, isInOrder } of [{ path: files.path, isInOrder: true }, ...segments]) {
    for await (const { line, ...read } of linesOf(path, { mayBeTorn: !isInOrder })) {
      yield { where: `in ${path}, line ${line}`, part: path, isInOrder, ...read };
    }
  }
}

type ReadLine = { readonly record: AnyRecord } | { readonly problem: string };

async function* linesOf(
  path: string,
  { mayBeTorn }: { readonly mayBeTorn: boolean },
): AsyncGenerator<ReadLine & { readonly line: number }> {
  const unreadable = await whyUnreadable(path);
  if (unreadable !== undefined) {
    yield { line: 1, problem: `Expected records but ${unreadable}` };
    return;
  }
  const input = createReadStream(path);
  // A file of a step that nobody has begun.
  const isThere = await new Promise<boolean>((resolve) => {
    input.once("open", () => resolve(true)).once("error", () => resolve(false));
  });
  if (!isThere) return;
  let line = 0;
  let torn: (ReadLine & { readonly line: number }) | undefined;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (torn !== undefined) yield torn;
    torn = undefined;
    if (text.trim() === "") continue;
    const read = readLine(text);
    if ("record" in read) yield { line, ...read };
    else torn = { line, ...read };
  }
  if (torn !== undefined && !mayBeTorn) yield torn;
}

/** Why a file is left alone, such as a pipe that would never end; undefined where it may be read. */
async function whyUnreadable(path: string): Promise<string | undefined> {
  try {
    await checkRegular(path);
  } catch (error) {
    if (error instanceof UnreadableFile) return error.reason;
  }
  return undefined;
}

function readLine(text: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `Expected one JSON value but received ${text.slice(0, 40)}` };
  }
  const parsed = anyRecord.safeParse(value);
  if (parsed.success) return { record: parsed.data };
  const [issue] = parsed.error.issues;
  const member = issue?.path.join(".") || "whole";
  return { problem: `Expected a record but its ${member} does not fit: ${issue?.message}` };
}
