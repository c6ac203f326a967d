import { createReadStream } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { InputError } from "../../core/errors.js";
import type { StoreCheck, StoredEntry } from "../../core/record-store.js";
import { type AnyRecord, anyRecord } from "../../core/records.js";
import { namesIn } from "../make-folder.js";
import { checkRegular, UnreadableFile } from "../regular-file.js";
import type { SealState } from "./seals.js";
import type { StepFiles } from "./step-files.js";

/** A file of a run that is sealed when it is finished. */
export interface SealedFile {
  /** In the folder of the run. */
  readonly name: string;
  readonly path: string;
  /** Step whose records it holds, by its `stepId`; `undefined` for the recipe. */
  readonly step: string | undefined;
  readonly state: SealState;
  /** The file of its seal. */
  readonly seal: string;
}

/** Says how a file differs from what was sealed. */
const changeText = ({ path, step, state }: SealedFile): string =>
  `${step === undefined ? "the recipe" : `the records of step ${step}`} ` +
  `${state === "gone" ? "are gone" : `${step === undefined ? "was" : "were"} changed`} ` +
  `since ${step === undefined ? "it was" : "they were"} sealed (in ${path})`;

/** Refuses a run whose files are not as they were sealed. */
export function changedRun(directory: string, wrong: readonly SealedFile[]): InputError {
  const steps = wrong.some(({ step }) => step !== undefined);
  return new InputError(
    `Expected the run in ${directory} as it was sealed when its steps were finished, but ` +
      `${wrong.length === 1 ? "a file was" : `${wrong.length} files were`} changed since`,
    {
      problems: wrong.map(changeText),
      hint:
        `Put back what was there${steps ? ", or remove the file of records and resume the run, which collects them anew" : ""}. ` +
        `If you mean the change, remove its seal, ${wrong.map(({ seal }) => seal).join(", ")}: the file then counts as unsealed.`,
    },
  );
}

/** Compares the files of a run with their seals, and those of `records` with the recipe. */
export async function checkFolder({
  sealed,
  records,
  steps,
}: {
  readonly sealed: readonly SealedFile[];
  readonly records: string;
  readonly steps: readonly StepFiles[];
}): Promise<StoreCheck> {
  const changed = sealed.filter(({ state }) => state === "changed" || state === "gone");
  return {
    unsealed: sealed.filter(({ state }) => state === "unsealed").map(({ name }) => name),
    recipeStands: changed.every(({ step }) => step !== undefined),
    problems: [...changed.map(changeText), ...(await strangers(records, steps))],
  };
}

/** Files among the records that belong to no step. */
async function strangers(directory: string, steps: readonly StepFiles[]): Promise<string[]> {
  const known = new Set<string>();
  for (const files of steps) {
    known.add(basename(files.path));
    for (const { path } of await files.segments()) known.add(basename(path));
  }
  return (await namesIn(directory))
    .filter((name) => !name.startsWith(".") && !known.has(name))
    .map((name) => `No step of run.json has the file ${join(directory, name)}`);
}

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
