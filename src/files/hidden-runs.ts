import { rmSync } from "node:fs";
import { access, constants, lstat, mkdtemp, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { InputError, Planned } from "../core/errors.js";
import type { Json } from "../core/json.js";
import { absent } from "./file-error.js";
import { isJobOver } from "./job-life.js";
import { makeFolder } from "./make-folder.js";
import { type NamedFrom, openStore, runPlace, shownPath } from "./open-store.js";
import { WorkFolder } from "./run-folder/run-work.js";

/** The folder, in the one that a command is given in, of runs that nobody named. */
export const hiddenRunsName = ".touchstone";

/** The folder in it of jobs that a studio started, which are no runs. */
export const jobsName = "jobs";
/** How the name of a job's folder begins before it is whole. */
export const newJobStart = ".new-";

/** The document of a hidden run that says what came of it: the next command begins it anew. */
const resultDocument = "result.json";

const ignoringName = ".gitignore";

/** Makes the hidden folder; what is in it is no part of a repository. */
export async function makeHiddenFolder(root: string): Promise<void> {
  const folder = join(root, hiddenRunsName);
  await makeFolder(folder);
  await writeFile(join(folder, ignoringName), "*\n");
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

/** Hidden runs that nobody works on and jobs that have ended: those that could be removed, or were. */
export interface ClearedRuns {
  /** Names of the runs. */
  readonly runs: readonly string[];
  /** How many runs are at work, and stay. */
  readonly atWork: number;
  readonly jobs: number;
  /** Of runs and jobs together. */
  readonly bytes: number;
  /** Milliseconds since 1970; 0 where there is nothing. */
  readonly lastWritten: number;
}

/**
 * Looks what of the hidden folder below a folder could be removed.
 *
 * @param options.removes removes it, too, and the folder where nothing is left in it
 */
export async function clearRuns(
  workingDirectory: string,
  { removes }: { readonly removes: boolean },
): Promise<ClearedRuns> {
  const folder = join(workingDirectory, hiddenRunsName);
  const jobsFolder = join(folder, jobsName);
  const runs: string[] = [];
  let [atWork, jobs, bytes, lastWritten] = [0, 0, 0, 0];
  for (const name of await foldersIn(folder)) {
    if (name === jobsName) continue;
    const place = join(folder, name);
    if (await clear(place, new WorkFolder(join(place, "work")))) runs.push(name);
    else atWork++;
  }
  for (const name of await foldersIn(jobsFolder)) {
    const place = join(jobsFolder, name);
    if (!name.startsWith(newJobStart) && !(await isJobOver(place))) continue;
    await clear(place);
    jobs++;
  }
  if (removes) await removeEmpty(workingDirectory);
  return { runs, atWork, jobs, bytes, lastWritten };

  /** @returns false where somebody is at work on it. */
  async function clear(place: string, work?: WorkFolder): Promise<boolean> {
    const living = (await work?.look())?.living ?? [];
    if (living.some(({ waits }) => waits !== true)) return false;
    const size = await sizeOf(place);
    if (removes) {
      // Whoever begins to work on it meanwhile has it, or is told who does.
      const own = await work?.enter();
      try {
        if ((await own?.hold()) !== undefined) return false;
        await rm(place, { recursive: true, force: true });
      } finally {
        await own?.leave();
      }
    }
    bytes += size.bytes;
    lastWritten = Math.max(lastWritten, size.lastWritten);
    return true;
  }
}

const foldersIn = async (parent: string): Promise<readonly string[]> =>
  ((await readdir(parent, { withFileTypes: true }).catch(absent(parent))) ?? []).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );

async function sizeOf(place: string) {
  let [bytes, lastWritten] = [0, 0];
  const below = await readdir(place, { recursive: true }).catch(absent(place));
  for (const name of ["", ...(below ?? [])]) {
    const path = join(place, name);
    const found = await lstat(path).catch(absent(path));
    if (found?.isFile()) bytes += found.size;
    lastWritten = Math.max(lastWritten, found?.mtimeMs ?? 0);
  }
  return { bytes, lastWritten };
}

/** Removes the hidden folder where nothing but its own `.gitignore` is left; a run that begins meanwhile stays. */
async function removeEmpty(workingDirectory: string): Promise<void> {
  const folder = join(workingDirectory, hiddenRunsName);
  await rmdir(join(folder, jobsName)).catch(() => {});
  const left = await readdir(folder).catch(absent(folder));
  if (left === undefined || left.some((name) => name !== ignoringName)) return;
  await rm(join(folder, ignoringName), { force: true });
  await rmdir(folder).catch(() => makeHiddenFolder(workingDirectory));
}
