import { basename, join } from "node:path";
import type { Recipe } from "../core/recipe.js";
import type { RecordStore } from "../core/record-store.js";
import { stepId } from "../core/step.js";
import { FileTurns } from "../files/file-turns.js";
import { openStore, storesIn } from "../files/open-store.js";
import { standingReport } from "../report/standing.js";
import type { StepTrace } from "../runs/run-status.js";
import type { ListedRun, RunState, StepProgress } from "./api.js";
import { reportAddress } from "./found-files.js";
import { glanceAt } from "./glance.js";
import { NotesFile } from "./notes/run-notes.js";
import { Refusal } from "./refusal.js";
import { RunIndex } from "./run-index.js";
import { RunView } from "./run-view.js";

/** How far each step of a run is, by its records and its trace. */
export const stepsOf = (
  { steps }: Pick<RunIndex, "steps">,
  traces: ReadonlyMap<string, StepTrace>,
): readonly StepProgress[] =>
  steps.map((step) => {
    const { planned = null, rate = null, cost = null } = traces.get(step.step) ?? {};
    return { ...step, planned, rate, cost };
  });

/** The runs below a folder or of a store; each is indexed at its first use. */
export class StudioRuns {
  readonly root: string;
  /** Place as people name it. */
  readonly shown: string;
  readonly #open = new Map<string, Promise<RunView>>();
  readonly #notes = new Map<string, NotesFile>();
  readonly #turns = new Map<string, FileTurns>();
  #found: ReadonlyMap<string, FoundRun> = new Map();

  constructor({ root, shown }: { readonly root: string; readonly shown: string }) {
    this.root = root;
    this.shown = shown;
  }

  async list(): Promise<readonly ListedRun[]> {
    return Promise.all((await this.#look()).map((found) => this.#listed(found)));
  }

  /** The runs of the last search; searches where there were none. */
  async all(): Promise<readonly FoundRun[]> {
    return this.#found.size === 0 ? this.#look() : [...this.#found.values()];
  }

  /** @throws Refusal where there is no such run. */
  async find(id: string): Promise<FoundRun> {
    // Called for every image, so the folder is searched for unknown runs only.
    const found = this.#found.get(id) ?? (await this.#look()).find((run) => run.id === id);
    if (found !== undefined) return found;
    throw new Refusal(404, "no-run", "There is no such run in the place that is shown", {
      hint: "The first page lists them.",
    });
  }

  /** A run's notes, where they are kept, and how commands name its folder. */
  async notesOf(id: string): Promise<{ file: NotesFile; place: string; path: string }> {
    const found = await this.find(id);
    return {
      file: this.#notesIn(found.place),
      place: found.place,
      path: pathOf(found, this.shown),
    };
  }

  /** Does what changes files beside a run's records, one at a time, in whichever studio. */
  async inTurn<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(place) ?? new FileTurns(join(place, ".studio", "turns"));
    this.#turns.set(place, turns);
    return turns.inTurn(work);
  }

  /** Releases the locks that this process holds. */
  async close(): Promise<void> {
    for (const turns of this.#turns.values()) await turns.close();
  }

  #notesIn(place: string): NotesFile {
    const known = this.#notes.get(place) ?? new NotesFile(place);
    this.#notes.set(place, known);
    return known;
  }

  async #listed(found: FoundRun): Promise<ListedRun> {
    const run = await listedRun(found);
    if (run.state === "broken") return run;
    try {
      const { title, isPinned, tags } = await this.#notesIn(found.place).read();
      const notes = { isPinned, tags, ...(title === undefined ? {} : { title }) };
      const glance = await glanceAt(await openStore(found.place, { anyhow: true }));
      const work = run.state === "live" ? await this.#work(found.id) : undefined;
      return { ...run, glance, notes, ...(work === undefined ? {} : { work }) };
    } catch (error) {
      // Notes that can't be read hide neither this run nor the others.
      return { ...run, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The step that a live run is at; nobody waits for a run that was not read yet. */
  async #work(id: string): Promise<StepProgress | undefined> {
    const view = await this.view(id);
    const reading = view.index.refresh({ unlessWithin: 1000 });
    reading.catch(() => {});
    if (view.index.progress.isReady) await reading;
    if (!view.index.progress.isReady) return undefined;
    return stepsOf(view.index, await view.traces()).find(({ isFinished }) => !isFinished);
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

  /**
   * The same with all that was written until now.
   *
   * @param options.imagesOnly whether a run that is read for the first time may still lack scores
   */
  async upToDate(
    id: string,
    { imagesOnly = false }: { readonly imagesOnly?: boolean } = {},
  ): Promise<RunView> {
    const view = await this.view(id);
    if (imagesOnly && !view.index.progress.isReady) await view.index.images();
    else await view.index.refresh({ unlessWithin: 250 });
    view.notes = await this.#notesIn((await this.find(id)).place).read();
    return view;
  }
}

/** Sums up a run for the list; reads no record. */
export async function listedRun(found: FoundRun): Promise<ListedRun> {
  const { id, name, place } = found;
  try {
    const run = await openStore(place, { anyhow: true });
    const changed = await run.changedAt();
    const imageModels = imageModelsOf(run.recipe);
    const { verdict, ...concluded } = await concludedFrom(found);
    const command = run.recipe.commands.at(-1);
    const verb = run.recipe.commands[0]?.split(" ")[1];
    return {
      id,
      name,
      state: await stateOf(run),
      verdict: verdict[0] ?? null,
      changed: changed?.toISOString() ?? null,
      ...concluded,
      ...(verdict.length === 0 && command !== undefined ? { command } : {}),
      ...(imageModels > 1 ? { imageModels } : {}),
      ...(verb === undefined ? {} : { verb }),
      metrics: metricsOf(run.recipe),
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { id, name, state: "broken", verdict: null, changed: null, problem };
  }
}

/** Reads a report's verdict: the run's own, else the enclosing folder's, as a judge's over its answers. */
export async function concludedFrom({
  place,
  within,
  ...run
}: FoundRun): Promise<
  Pick<ListedRun, "report" | "concludedIn"> & { readonly verdict: readonly string[] }
> {
  const own = await standingReport(place);
  if (own !== undefined) return { verdict: own.verdict, report: reportAddress(folderOf(run)) };
  const around = within && (await standingReport(within.place));
  if (within === undefined || around === undefined) return { verdict: [] };
  const { name } = within;
  return { verdict: around.verdict, report: reportAddress(name), concludedIn: name };
}

/** How many models the recipe asks for images. */
const imageModelsOf = ({ steps }: Recipe): number =>
  new Set(
    steps
      .filter(({ produces }) => produces === "image")
      .map(({ parameters }) => JSON.stringify(parameters.generator)),
  ).size;

const metricsOf = ({ steps }: Recipe): readonly string[] => [
  ...new Set(
    steps.flatMap(({ produces, parameters: { metric } }) =>
      produces === "score" && typeof metric === "string" ? [metric] : [],
    ),
  ),
];

async function stateOf(run: RecordStore): Promise<RunState> {
  if ((await run.workers()).length > 0) return "live";
  const states = await Promise.all(run.recipe.steps.map((step) => run.stateOf(stepId(step))));
  // Steps are finished in order, and one with nothing to do leaves nothing: only the last must be there.
  const isFinished = !states.includes("begun") && states.at(-1) === "finished";
  return isFinished ? "finished" : "unfinished";
}

/** Opens an empty index of the run at a place. @throws InputError where there is no run. */
export const openIndex = async (place: string): Promise<RunIndex> =>
  // Opened without checking seals: an edited run can be looked at, and `run verify` reports the edit.
  new RunIndex(await openStore(place, { anyhow: true }));

/** A run found in the place that the studio shows, or below it. */
export interface FoundRun {
  readonly id: string;
  readonly name: string;
  readonly place: string;
  /** The folder that it lies in, where that is no run: what is concluded from several runs stands there. */
  readonly within?: { readonly name: string; readonly place: string };
}

/** The id of a run that is the place itself. */
export const wholeRun = ".run";

/** The runs of a folder and below it, by name. */
async function findRuns(root: string): Promise<readonly FoundRun[]> {
  const stores = await storesIn(root);
  const names = new Set(stores.map(({ name }) => name));
  const found = stores.map(({ name, place }): FoundRun => {
    if (name === "") return { id: wholeRun, name: basename(root), place };
    const above = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    const within =
      above === "" || names.has(above) ? {} : { within: { name: above, place: join(root, above) } };
    return { id: name.replaceAll("/", "~"), name, place, ...within };
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folder of a run from the place that is shown; "" is that place itself. */
export const folderOf = ({ id, name }: Pick<FoundRun, "id" | "name">): string =>
  id === wholeRun ? "" : name;

/** How commands name a run where the studio was started. @param shown what people call the place that is shown */
export const pathOf = ({ id, name }: Pick<FoundRun, "id" | "name">, shown: string): string =>
  id === wholeRun ? shown : join(shown, name);
