import { rmSync } from "node:fs";
import { access, constants, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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

/**
 * Removes the hidden runs below a folder that nobody works on, and the jobs that have ended; returns the names of the
 * runs, how many jobs, and how many runs stay.
 */
export async function clearHiddenRuns(workingDirectory: string): Promise<{
  readonly removed: readonly string[];
  readonly atWork: number;
  readonly jobs: number;
}> {
  const folder = join(workingDirectory, hiddenRunsName);
  const entries = await readdir(folder, { withFileTypes: true }).catch(absent(folder));
  const found = { removed: [] as string[], atWork: 0 };
  for (const entry of entries ?? []) {
    if (!entry.isDirectory() || entry.name === jobsName) continue;
    const place = join(folder, entry.name);
    const store = await openStore(place, { anyhow: true }).catch(() => undefined);
    if (store !== undefined && (await store.workers()).length > 0) found.atWork++;
    else {
      await rm(place, { recursive: true });
      found.removed.push(entry.name);
    }
  }
  const jobs = await clearJobs(join(folder, jobsName));
  if (found.atWork === 0 && entries !== undefined && jobs.left === 0)
    await rm(folder, { recursive: true });
  return { ...found, jobs: jobs.removed };
}

async function clearJobs(
  folder: string,
): Promise<{ readonly removed: number; readonly left: number }> {
  const names = (await readdir(folder).catch(absent(folder))) ?? [];
  const found = { removed: 0, left: 0 };
  for (const name of names) {
    const place = join(folder, name);
    if (name.startsWith(newJobStart) || (await isJobOver(place))) {
      await rm(place, { recursive: true });
      found.removed++;
    } else found.left++;
  }
  return found;
}
