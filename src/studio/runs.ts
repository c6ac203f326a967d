import { stat } from "node:fs/promises";
import { join } from "node:path";
import { RunFolder } from "../files/run-folder/run-folder.js";
import { standingReport } from "../report/pages/standing-report.js";
import type { ListedRun, RunState } from "./api.js";
import { Refusal } from "./refusal.js";
import { RunIndex } from "./run-index.js";
import { type FoundRun, findRuns } from "./run-list.js";
import { RunView } from "./run-view.js";

/** The runs below a folder; each is indexed when it is first looked at. */
export class StudioRuns {
  readonly root: string;
  readonly #open = new Map<string, Promise<RunView>>();

  constructor(root: string) {
    this.root = root;
  }

  async list(): Promise<readonly ListedRun[]> {
    return Promise.all((await findRuns(this.root)).map(listedRun));
  }

  /** @throws Refusal where there is no such run. */
  async find(id: string): Promise<FoundRun> {
    const found = (await findRuns(this.root)).find((run) => run.id === id);
    if (found !== undefined) return found;
    throw new Refusal(404, "no-run", "There is no such run in the folder that is shown", {
      hint: "GET /api/runs lists them.",
    });
  }

  /** A run's index as it was last read. */
  async view(id: string): Promise<RunView> {
    const { directory } = await this.find(id);
    const known = this.#open.get(directory);
    if (known !== undefined) return known;
    const opening = RunIndex.open(directory).then((index) => new RunView(index));
    this.#open.set(directory, opening);
    opening.catch(() => this.#open.delete(directory));
    return opening;
  }

  /** The same with all that was written until now. */
  async upToDate(id: string): Promise<RunView> {
    const view = await this.view(id);
    await view.index.refresh();
    return view;
  }
}

/** What the list says of a run; no record is read for it. */
export async function listedRun({ id, name, directory }: FoundRun): Promise<ListedRun> {
  try {
    const run = await RunFolder.open({ directory, anyhow: true });
    const verdict = (await standingReport(directory))?.verdict[0] ?? null;
    return { id, name, state: await stateOf(run), verdict, changed: await changedAt(run) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { id, name, state: "broken", verdict: null, changed: null, problem };
  }
}

async function stateOf(run: RunFolder): Promise<RunState> {
  if ((await run.workers()).length > 0) return "live";
  const files = run.stepFiles();
  const finished = files.map(async (step) => {
    const isThere = await exists(step.path);
    return isThere && (await step.segments()).length === 0;
  });
  return files.length > 0 && (await Promise.all(finished)).every((each) => each)
    ? "finished"
    : "unfinished";
}

async function changedAt(run: RunFolder): Promise<string | null> {
  const paths = [join(run.directory, "run.json"), ...run.stepFiles().map(({ path }) => path)];
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const latest = Math.max(...times);
  return latest === 0 ? null : new Date(latest).toISOString();
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
