import { TouchstoneError } from "../../../core/errors.js";
import { copying } from "../../../core/record-store.js";
import { type OpenOptions, openStore, storesIn } from "../../../files/open-store.js";
import { Budget } from "../../../runs/budget.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { Collected } from "../run/collect.js";
import { repeatable } from "../run/repeatable.js";
import { asksOnly } from "./asks-only.js";
import { isAway, isOf, type Leaving, type LeftRun, leftRun, reasonText } from "./left-run.js";
import { RunPass } from "./run-pass.js";
import type { WorkerCounts } from "./worker-counts.js";

interface Work {
  readonly store: string;
  /** Names of models, as recipes have them, with or without their revision and address. */
  readonly models: readonly string[] | undefined;
  readonly concurrency: number | undefined;
  readonly environment: Environment;
  readonly output: Output;
  readonly counts: WorkerCounts;
}

/** A run of the store, with those that lie within it, such as chapters of a demo. */
interface FoundRun {
  readonly name: string;
  readonly place: string;
  readonly within: readonly string[];
}

const longestAway = 5 * 60_000;
/** As long as any command waits for a model's server, in milliseconds. */
const patience = 135_000;

/** What is asked is asked of the run as it stands: who works on it checks its seals. */
const anyhow: OpenOptions = { mayLack: true, anyhow: true };

/**
 * Goes over the runs of a store, each until nothing of it is left that can be asked here. One that can't be
 * worked on, or has items without an answer, is gone over again later, ever more rarely.
 */
export class FleetWork {
  readonly #work: Work;
  readonly #left = new Map<string, LeftRun>();
  /** Reasons that were told, by run. */
  readonly #told = new Map<string, string>();
  readonly #worked = new Set<string>();
  #fault: Error | undefined;
  /** When the store was last known to be there, or hoped to be. */
  #reached: number;

  constructor(work: Work) {
    this.#work = work;
    this.#reached = this.#now();
  }

  /** Runs that it went over. */
  get runs(): number {
    return this.#worked.size;
  }

  /** Whether the server of some run's model may soon be back. */
  get isHopeful(): boolean {
    return this.#runsLeft("away").some(([, { since }]) => this.#now() - since < patience);
  }

  /** Runs that are not whole, since a server of their models is away. */
  get unfinished(): readonly string[] {
    return this.#runsLeft("away").map(([name]) => name);
  }

  /** The first error that is nobody's input, in which a run ended. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  async isReachable(): Promise<boolean> {
    return storesIn(this.#work.store).then(
      () => true,
      () => false,
    );
  }

  /**
   * Works on every run that is due; returns how many were gone over to their end, or undefined where the
   * store could not be reached.
   *
   * @throws TouchstoneError "store" where it could not be for so long that nothing is to be hoped for.
   */
  async goOver(): Promise<number | undefined> {
    try {
      const gone = await this.#goOverAll();
      this.#reached = this.#now();
      return gone;
    } catch (error) {
      if (!isOf(["store"], error) || this.#now() - this.#reached > longestAway) throw error;
      return undefined;
    }
  }

  async #goOverAll(): Promise<number> {
    const found = await storesIn(this.#work.store);
    let gone = 0;
    for (const { name, place } of found) {
      if (this.#work.environment.signal.aborted) break;
      const isWithin = found.some(
        (other) => other.name !== name && name.startsWith(`${other.name}/`),
      );
      // Chapters of a demo are made by the command of the run that they lie in.
      const within = found.filter((other) => other.name.startsWith(`${name}/`));
      const places = within.map((other) => other.place);
      if (!isWithin && (await this.#goOverRun({ name, place, within: places }))) gone++;
    }
    return gone;
  }

  async #goOverRun(found: FoundRun): Promise<boolean> {
    const { name, place } = found;
    const { environment, output } = this.#work;
    const before = this.#left.get(name);
    const isHindered = before?.why === "away" || before?.why === "refused";
    if (isHindered && this.#now() < before.due) return false;
    const pass = new RunPass({
      name,
      output,
      counts: this.#work.counts,
      isAgain: before !== undefined,
    });
    try {
      const commands = await commandsOf(found);
      if (before?.commands === commands && !(await this.#isDueAgain(before, found))) return false;
      const run = await openStore(place, anyhow);
      if (!asksOnly(this.#work.models, run.recipe.models)) return false;
      // What is about to be copied is not to be asked.
      if ((await run.workers()).some(({ command }) => command === copying)) return false;
      for (const repeat of await repeatable(run.recipe.commands, { run: name })) {
        await this.#repeat(repeat, pass);
        if (environment.signal.aborted) return true;
      }
      // What others added meanwhile is gone over next time.
      if ((await commandsOf(found)) === commands) {
        const changed = (await run.changedAt())?.getTime();
        this.#leave(name, pass.isUnanswered ? "unanswered" : "whole", { pass, commands, changed });
      } else this.#left.delete(name);
    } catch (error) {
      if (!(error instanceof Error) || isOf(["store", "disk"], error)) throw error;
      // Stopped; what is left is done by others, or by whoever is started again.
      if (environment.signal.aborted) return true;
      this.#leave(name, isAway(error) ? "away" : "refused", { pass });
      this.#tell(name, error);
      return false;
    }
    this.#told.delete(name);
    this.#worked.add(name);
    return true;
  }

  /** Whether items that were left without an answer are asked again: not while others are at it. */
  async #isDueAgain(before: LeftRun, { name, place }: FoundRun): Promise<boolean> {
    if (before.why === "whole" || this.#now() < before.due) return false;
    const changed = (await (await openStore(place, anyhow)).changedAt())?.getTime();
    if (changed === before.changed) return true;
    this.#left.set(name, { ...before, changed, due: this.#now() + before.wait });
    return false;
  }

  #leave(
    name: string,
    why: Leaving,
    { pass, ...rest }: { readonly pass: RunPass } & Pick<LeftRun, "commands" | "changed">,
  ): void {
    // Where something was answered there is new hope.
    const before = pass.answered > 0 ? undefined : this.#left.get(name);
    this.#left.set(name, leftRun(why, { now: this.#now(), before, ...rest }));
    this.#work.counts.refused = this.#runsLeft("away", "refused").length;
  }

  /** Says once why a run is left. */
  #tell(name: string, error: Error): void {
    const isFault = !(error instanceof TouchstoneError);
    if (isFault) this.#fault ??= error;
    const text = `${isFault ? "a fault of touchstone's: " : ""}${reasonText(error)}`;
    if (this.#told.get(name) !== text) this.#work.output.warn(`${name}: ${text}`);
    this.#told.set(name, text);
  }

  async #repeat(
    repeat: Awaited<ReturnType<typeof repeatable>>[number],
    pass: RunPass,
  ): Promise<void> {
    const { environment, concurrency } = this.#work;
    try {
      await repeat({
        environment: {
          ...environment,
          budget: new Budget({}),
          resumes: true,
          fleet: { part: "collect", concurrency, onEvent: (event) => pass.take(event) },
        },
        output: pass.output,
        shared: { json: false, debug: false },
      });
    } catch (error) {
      if (!(error instanceof Collected)) throw error;
    }
  }

  #runsLeft(...why: readonly Leaving[]): readonly (readonly [string, LeftRun])[] {
    return [...this.#left].filter(([, left]) => why.includes(left.why));
  }

  #now(): number {
    return this.#work.environment.now().getTime();
  }
}

/** What is to be done for a run and for those within it. */
async function commandsOf({ place, within }: FoundRun): Promise<string> {
  const runs = await Promise.all([place, ...within].map((each) => openStore(each, anyhow)));
  return JSON.stringify(runs.map(({ recipe }) => recipe.commands));
}
