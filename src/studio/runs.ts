import type { RecordStore } from "../core/record-store.js";
import { stepId } from "../core/step.js";
import { openStore } from "../files/open-store.js";
import { standingReport } from "../report/pages/standing-report.js";
import type { ListedRun, RunState } from "./api.js";
import { openIndex } from "./open-index.js";
import { Refusal } from "./refusal.js";
import { type FoundRun, findRuns } from "./run-list.js";
import { RunView } from "./run-view.js";

/** The runs below a folder, or of a store; each is indexed when it is first looked at. */
export class StudioRuns {
  readonly root: string;
  /** What people call the place. */
  readonly shown: string;
  readonly #open = new Map<string, Promise<RunView>>();
  #found: ReadonlyMap<string, FoundRun> = new Map();

  constructor({ root, shown }: { readonly root: string; readonly shown: string }) {
    this.root = root;
    this.shown = shown;
  }

  async list(): Promise<readonly ListedRun[]> {
    return Promise.all((await this.#look()).map(listedRun));
  }

  /** @throws Refusal where there is no such run. */
  async find(id: string): Promise<FoundRun> {
    // Every image is asked for by its run: the folder is gone over for a run that is new only.
    const found = this.#found.get(id) ?? (await this.#look()).find((run) => run.id === id);
    if (found !== undefined) return found;
    throw new Refusal(404, "no-run", "There is no such run in the place that is shown", {
      hint: "GET /api/runs lists them.",
    });
  }

  async #look(): Promise<readonly FoundRun[]> {
    const found = await findRuns(this.root);
    this.#found = new Map(found.map((run) => [run.id, run]));
    return found;
  }

  /** A run's index as it was last read. */
  async view(id: string): Promise<RunView> {
    const { place } = await this.find(id);
    const known = this.#open.get(place);
    if (known !== undefined) return known;
    const opening = openIndex(place).then((index) => new RunView(index));
    this.#open.set(place, opening);
    opening.catch(() => this.#open.delete(place));
    return opening;
  }

  /** The same with all that was written until now. */
  async upToDate(id: string): Promise<RunView> {
    const view = await this.view(id);
    await view.index.refresh({ unlessWithin: 250 });
    return view;
  }
}

/** What the list says of a run; no record is read for it. */
export async function listedRun({ id, name, place }: FoundRun): Promise<ListedRun> {
  try {
    const run = await openStore(place, { anyhow: true });
    const changed = await run.changedAt();
    const verdict = (await standingReport(place))?.verdict[0] ?? null;
    return {
      id,
      name,
      state: await stateOf(run),
      verdict,
      changed: changed?.toISOString() ?? null,
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { id, name, state: "broken", verdict: null, changed: null, problem };
  }
}

async function stateOf(run: RecordStore): Promise<RunState> {
  if ((await run.workers()).length > 0) return "live";
  const states = await Promise.all(run.recipe.steps.map((step) => run.stateOf(stepId(step))));
  // Steps are finished in order, and one with nothing to do leaves nothing: only the last must be there.
  const isFinished = !states.includes("begun") && states.at(-1) === "finished";
  return isFinished ? "finished" : "unfinished";
}
