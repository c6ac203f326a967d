import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { type Key, keyOf } from "../core/keys.js";
import { type AnyRecord, aboutOf, anyRecord } from "../core/records.js";
import { checkRegular, UnreadableFile } from "../files/regular-file.js";
import { changeText, type RunFolder } from "../files/run-folder/run-folder.js";
import { brokenImages } from "./broken-images.js";

/** What was looked at, and what of it is wrong. */
export interface Verification {
  readonly records: number;
  readonly images: number;
  readonly truths: number;
  /** Files that no seal speaks of, by their names in the run: what was edited in them can't be told. */
  readonly unsealed: readonly string[];
  /** Whether the recipe is as it was sealed, so that `run resume` can make anew what is damaged. */
  readonly recipeStands: boolean;
  /** One sentence each, with file and line. */
  readonly problems: readonly string[];
}

/**
 * Checks a run against itself: what was sealed is as it was then, every line of `records/` is a record of its step, its key follows
 * from what it is about, no key stands twice, what it was made from is there; every image is there
 * and its bytes have its hash; and where the run keeps truths, each image has one. A last line torn
 * by a killed process is no damage: it is asked for again.
 */
export async function verifyRun(run: RunFolder): Promise<Verification> {
  const problems: string[] = [];
  const keys = new Set<string>();
  const images = new Map<Key, AnyRecord>();
  let records = 0;
  const files = run.stepFiles();
  for (const [position, step] of run.recipe.steps.entries()) {
    const stepFiles = files[position];
    if (stepFiles === undefined) continue;
    const segments = (await stepFiles.segments()).map(({ path }) => ({ path, isSegment: true }));
    const own = new Set<string>();
    for (const { path, isSegment } of [{ path: stepFiles.path, isSegment: false }, ...segments]) {
      const within = new Set<string>();
      for await (const { line, record, problem } of linesOf(path, { isSegment })) {
        const where = `(in ${path}, line ${line})`;
        if (record === undefined) {
          problems.push(`${problem} ${where}`);
          continue;
        }
        const { key, attempt } = record;
        const found = [
          ...recordProblems(record, `${step.name}@${step.version}`),
          ...(keys.has(key) && !own.has(key) ? ["its key stands in another step, too"] : []),
          ...(within.has(isSegment ? `${key} ${attempt}` : key) ? ["its key stands twice"] : []),
          ...madeFrom(record)
            .filter((from) => !keys.has(from))
            .map((from) => `the record ${from} that it was made from is not there`),
        ];
        problems.push(...found.map((what) => `record ${key}: ${what} ${where}`));
        within.add(isSegment ? `${key} ${attempt}` : key);
        if (!own.has(key)) records++;
        own.add(key);
        if (record.type === "image" && record.status === "done") images.set(key, record);
      }
    }
    for (const key of own) keys.add(key);
  }
  const seals = await run.seals();
  const changed = seals.filter(({ state }) => state === "changed" || state === "gone");
  problems.push(...changed.map(changeText));
  problems.push(...(await strangers(run)));
  const broken = await brokenImages(run.blobs, images.values());
  problems.push(...broken.map(({ key, problem }) => `record ${key}: ${problem}`));
  const truths = await truthProblems(run, images);
  return {
    records,
    images: images.size,
    truths: truths.checked,
    unsealed: seals.filter(({ state }) => state === "unsealed").map(({ name }) => name),
    recipeStands: changed.every(({ step }) => step !== undefined),
    problems: [...problems, ...truths.problems],
  };
}

/** What a record says of its own making. */
function recordProblems(record: AnyRecord, step: string): string[] {
  const found: string[] = [];
  if (record.step !== step) found.push(`it is of step ${record.step}, not of ${step}`);
  const key = keyOf({ ...aboutOf(record), step: record.step });
  if (key !== record.key) found.push(`what it is about has the key ${key}`);
  return found;
}

const madeFrom = (record: AnyRecord): readonly string[] =>
  record.type === "image" ? [record.prompt] : record.type === "score" ? [record.of] : [];

interface VerifiedLine {
  readonly line: number;
  readonly record?: AnyRecord;
  readonly problem?: string;
}

/** Every line of a file, whole or not. */
async function* linesOf(
  path: string,
  { isSegment }: { isSegment: boolean },
): AsyncGenerator<VerifiedLine> {
  let line = 0;
  let torn: VerifiedLine | undefined;
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
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (torn !== undefined) yield torn;
    torn = undefined;
    if (text.trim() === "") continue;
    const read = readLine(text);
    if (read.record !== undefined) yield { line, ...read };
    else torn = { line, ...read };
  }
  if (torn !== undefined && !isSegment) yield torn;
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

function readLine(text: string): Omit<VerifiedLine, "line"> {
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

/** Files in `records/` that belong to no step. */
async function strangers(run: RunFolder): Promise<string[]> {
  const directory = join(run.directory, "records");
  const known = new Set<string>();
  for (const files of run.stepFiles()) {
    known.add(basename(files.path));
    for (const { path } of await files.segments()) known.add(basename(path));
  }
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => !name.startsWith(".") && !known.has(name))
    .map((name) => `No step of run.json has the file ${join(directory, name)}`);
}

/** A run without any truth was made without, or somebody removed it on purpose. */
async function truthProblems(run: RunFolder, images: ReadonlyMap<Key, AnyRecord>) {
  const problems: string[] = [];
  const folders = await readdir(run.truth.directory).catch(() => []);
  if (folders.length === 0) return { checked: 0, problems };
  for (const key of images.keys()) {
    try {
      if ((await run.truth.read(key)) !== undefined) continue;
      problems.push(
        `record ${key}: Expected a truth in ${run.truth.directory} but it is not there`,
      );
    } catch (error) {
      problems.push(`record ${key}: ${messageOf(error)}`);
    }
  }
  return { checked: images.size, problems };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
