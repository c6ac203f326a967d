import { access, constants, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { InputError, Planned } from "../core/errors.js";
import { absent } from "./file-error.js";
import { isJobOver } from "./job-life.js";
import { makeFolder } from "./make-folder.js";
import { openStore } from "./open-store.js";

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

/** A run that nobody named. */
export interface HiddenRun {
  readonly place: string;
  /** Whether it is gone with the command. */
  readonly isTemporary: boolean;
}

/**
 * The place of the run of a command: the same command finds it again until its result is kept in it, and then
 * begins it anew. Where the folder can't be written to, the run is a temporary one.
 *
 * @param name of the run; undefined where no command could ask for it again
 */
export async function hiddenRun(
  workingDirectory: string,
  name: string | undefined,
): Promise<HiddenRun> {
  const folder = join(workingDirectory, hiddenRunsName);
  const mayWrite = await access(workingDirectory, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (name === undefined || !mayWrite) {
    return { place: await mkdtemp(join(tmpdir(), "touchstone-run-")), isTemporary: true };
  }
  await makeHiddenFolder(workingDirectory);
  const place = join(folder, name);
  const store = await openStore(place, { mayLack: true, anyhow: true }).catch(() => undefined);
  const isOver = store !== undefined && (await store.documents.has(resultDocument));
  if (isOver && (await store.workers()).length === 0) await rm(place, { recursive: true });
  return { place, isTemporary: false };
}

/**
 * Ends a command that is to plan a run which would be gone with it.
 *
 * @param options.isDone whether nothing is left to ask
 * @throws Planned where nothing is left; InputError else
 */
export async function refuseTemporaryPlan(
  { place, isTemporary }: HiddenRun,
  { isPlan, isDone }: { readonly isPlan: boolean; readonly isDone: boolean },
): Promise<void> {
  if (!isPlan || !isTemporary) return;
  await rm(place, { recursive: true, force: true });
  if (isDone) throw new Planned({ steps: [] });
  throw new InputError(
    "Expected --run DIR with --plan: this run would be removed with the command",
  );
}

/** Keeps what came of a run, where it is a hidden one. */
export const keepResult = async (place: string, text: string): Promise<void> => {
  if (basename(dirname(place)) !== hiddenRunsName) return;
  const store = await openStore(place);
  await store.documents.write(resultDocument, text);
};

/**
 * Removes the hidden runs below a folder that nobody works on, and the jobs that have ended; returns how many, and how
 * many runs stay.
 */
export async function clearHiddenRuns(
  workingDirectory: string,
): Promise<{ readonly removed: number; readonly atWork: number; readonly jobs: number }> {
  const folder = join(workingDirectory, hiddenRunsName);
  const entries = await readdir(folder, { withFileTypes: true }).catch(absent(folder));
  const found = { removed: 0, atWork: 0 };
  for (const entry of entries ?? []) {
    if (!entry.isDirectory() || entry.name === jobsName) continue;
    const place = join(folder, entry.name);
    const store = await openStore(place, { anyhow: true }).catch(() => undefined);
    if (store !== undefined && (await store.workers()).length > 0) found.atWork++;
    else {
      await rm(place, { recursive: true });
      found.removed++;
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
