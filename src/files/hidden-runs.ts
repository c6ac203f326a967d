import { rmSync } from "node:fs";
import { access, constants, lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { InputError, Planned } from "../core/errors.js";
import type { Json } from "../core/json.js";
import { absent } from "./file-error.js";
import { isJobOver } from "./job-life.js";
import { makeFolder } from "./make-folder.js";
import { type NamedFrom, openStore, runPlace, shownPath } from "./open-store.js";

/** The folder, in the one that a command is given in, of runs that nobody named. */
export const hiddenRunsName = ".touchstone";

/** The folder in it of jobs that a studio started, which are no runs. */
export const jobsName = "jobs";
/** How the name of a job's folder begins before it is whole. */
export const newJobStart = ".new-";

/** The document of a hidden run that says what came of it: the next command begins it anew. */
const resultDocument = "result.json";

/** Makes the hidden folder; what is in it is no part of a repository. */
export async function makeHiddenFolder(root: string): Promise<void> {
  const folder = join(root, hiddenRunsName);
  await makeFolder(folder);
  await writeFile(join(folder, ".gitignore"), "*\n");
}

/** Whether a run is one that nobody named. */
export const isHidden = (place: string): boolean => basename(dirname(place)) === hiddenRunsName;

/** The run that a command collects what it asks in. */
export interface CommandRun {
  readonly place: string;
  /** Where it lies, as a person would type it; not given where it is gone with the command. */
  readonly shown?: string;
  /** Keeps what came of it, where nobody named it: the next command begins it anew. */
  keep(result: Json): Promise<void>;
  /** Removes it where it is to be gone with the command. */
  end(): Promise<void>;
}

/**
 * The run of a command: the one that was named; else one that the same command finds again until its result is kept,
 * and then begins anew. Where nothing can be written, or no command could ask for it again, it is a temporary one.
 *
 * @param options.run the name of a run; undefined where none was given
 * @param options.name of the hidden one; undefined where no command could ask for it again
 * @param options.isPlan whether it is to be planned and no more, which one that would be gone can't be
 * @param options.isDone whether nothing is left to ask
 * @throws Planned where nothing is left to plan; InputError where the plan would be gone
 */
export async function commandRun(
  {
    run,
    name,
    isPlan = false,
    isDone = false,
  }: {
    readonly run?: string | undefined;
    readonly name: string | undefined;
    readonly isPlan?: boolean;
    readonly isDone?: boolean;
  },
  { workingDirectory }: NamedFrom,
): Promise<CommandRun> {
  const standing = async (place: string): Promise<CommandRun> => ({
    place,
    shown: shownPath(place, { workingDirectory }),
    async keep(result) {
      if (!isHidden(place)) return;
      const { documents } = await openStore(place);
      await documents.write(resultDocument, `${JSON.stringify(result, null, 2)}\n`);
    },
    end: async () => {},
  });
  if (run !== undefined) return standing(runPlace(run, { workingDirectory }));
  const mayWrite = await access(workingDirectory, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (name !== undefined && mayWrite) {
    await makeHiddenFolder(workingDirectory);
    const place = join(workingDirectory, hiddenRunsName, name);
    const store = await openStore(place, { mayLack: true, anyhow: true }).catch(() => undefined);
    const isOver = store !== undefined && (await store.documents.has(resultDocument));
    if (isOver && (await store.workers()).length === 0) await rm(place, { recursive: true });
    return standing(place);
  }
  if (isPlan && isDone) throw new Planned({ steps: [] });
  if (isPlan) {
    throw new InputError(
      "Expected --run DIR with --plan: this run would be removed with the command",
    );
  }
  const place = await mkdtemp(join(tmpdir(), "touchstone-run-"));
  // A second Ctrl+C ends the process without waiting for anything.
  const remove = () => rmSync(place, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    place,
    keep: async () => {},
    async end() {
      process.off("exit", remove);
      await rm(place, { recursive: true, force: true });
    },
  };
}

/** Hidden runs that nobody works on and jobs that have ended, which could be removed. */
export interface ClearableRuns {
  /** Names of the runs. */
  readonly runs: readonly string[];
  /** How many runs are at work, and stay. */
  readonly atWork: number;
  readonly jobs: number;
  /** Of runs and jobs together. */
  readonly bytes: number;
  /** Milliseconds since 1970; 0 where there is nothing. */
  readonly lastWritten: number;
  remove(): Promise<void>;
}

/** Looks what of the hidden folder below a folder could be removed. */
export async function clearableRuns(workingDirectory: string): Promise<ClearableRuns> {
  const folder = join(workingDirectory, hiddenRunsName);
  const foldersIn = async (parent: string) =>
    ((await readdir(parent, { withFileTypes: true }).catch(absent(parent))) ?? []).flatMap(
      (entry) => (entry.isDirectory() ? entry.name : []),
    );
  const runs: string[] = [];
  let atWork = 0;
  for (const name of await foldersIn(folder)) {
    if (name === jobsName) continue;
    const store = await openStore(join(folder, name), { anyhow: true }).catch(() => undefined);
    if (store !== undefined && (await store.workers()).length > 0) atWork++;
    else runs.push(name);
  }
  const all = await foldersIn(join(folder, jobsName));
  const jobs: string[] = [];
  for (const name of all) {
    const place = join(folder, jobsName, name);
    if (name.startsWith(newJobStart) || (await isJobOver(place))) jobs.push(place);
  }
  const places = [...runs.map((name) => join(folder, name)), ...jobs];
  let [bytes, lastWritten] = [0, 0];
  for (const place of places) {
    for (const name of ["", ...(await readdir(place, { recursive: true }))]) {
      const found = await lstat(join(place, name));
      if (found.isFile()) bytes += found.size;
      lastWritten = Math.max(lastWritten, found.mtimeMs);
    }
  }
  return {
    runs,
    atWork,
    jobs: jobs.length,
    bytes,
    lastWritten,
    async remove() {
      for (const place of places) await rm(place, { recursive: true });
      const isEmpty = atWork === 0 && jobs.length === all.length;
      if (isEmpty) await rm(folder, { recursive: true, force: true });
    },
  };
}
