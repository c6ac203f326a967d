import { IncompleteError, TouchstoneError } from "../../../core/errors.js";
import { openStore, storesIn } from "../../../files/open-store.js";
import { Budget } from "../../../runs/budget.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { Collected } from "../run/collect.js";
import { repeatable } from "../run/repeatable.js";
import type { WorkerCounts } from "./worker-counts.js";

/** Whether the store may be there again in a moment; a run that was cut off by that is incomplete. */
const isAway = (error: unknown): boolean =>
  error instanceof TouchstoneError && (error.code === "store" || isAway(error.cause));

interface Work {
  readonly store: string;
  /** Names of models, as recipes have them, with or without their revision. */
  readonly models: readonly string[] | undefined;
  readonly concurrency: number | undefined;
  readonly environment: Environment;
  readonly output: Output;
  readonly counts: WorkerCounts;
}

const longestAway = 5 * 60_000;

/** Goes over the runs of a store, each until nothing of it is left that can be asked here. */
export class FleetWork {
  readonly #work: Work;
  /** When a run was last changed, as of before it was gone over to its end. */
  readonly #seen = new Map<string, number>();
  readonly #refused = new Set<string>();
  readonly #worked = new Set<string>();
  /** When the store was last known to be there, or hoped to be. */
  #reached: number;

  constructor(work: Work) {
    this.#work = work;
    this.#reached = work.environment.now().getTime();
  }

  /** Runs that it went over. */
  get runs(): number {
    return this.#worked.size;
  }

  async isReachable(): Promise<boolean> {
    return storesIn(this.#work.store).then(
      () => true,
      () => false,
    );
  }

  /**
   * Works on every run that has changed since; returns how many there were, or undefined where the
   * store could not be reached.
   *
   * @throws TouchstoneError "store" where it could not be for so long that nothing is to be hoped for.
   */
  async goOver(): Promise<number | undefined> {
    const { now } = this.#work.environment;
    try {
      const gone = await this.#goOverAll();
      this.#reached = now().getTime();
      return gone;
    } catch (error) {
      if (!isAway(error) || now().getTime() - this.#reached > longestAway) throw error;
      return undefined;
    }
  }

  async #goOverAll(): Promise<number> {
    const found = await storesIn(this.#work.store);
    let gone = 0;
    for (const { name, place } of found) {
      if (this.#work.environment.signal.aborted) break;
      // Chapters of a demo are made by the command of the run that they lie in.
      const isWithin = found.some(
        (other) => other.name !== name && name.startsWith(`${other.name}/`),
      );
      if (!isWithin && (await this.#goOverRun(name, place))) gone++;
    }
    return gone;
  }

  async #goOverRun(name: string, place: string): Promise<boolean> {
    const { environment, output, counts } = this.#work;
    let changed = 0;
    try {
      const run = await openStore(place, { mayLack: true });
      changed = (await run.changedAt())?.getTime() ?? 0;
      if (this.#seen.get(name) === changed || !this.#isMine(run.recipe.models)) return false;
      for (const repeat of await repeatable(run.recipe.commands, { run: name })) {
        await this.#repeat(repeat);
        if (environment.signal.aborted) return true;
      }
    } catch (error) {
      if (!(error instanceof TouchstoneError)) throw error;
      // Stopped; what is left is done by others, or by whoever is started again.
      if (environment.signal.aborted && error instanceof IncompleteError) return true;
      if (["store", "disk", "incomplete"].includes(error.code)) throw error;
      if (!this.#refused.has(`${name} ${error.message}`)) {
        output.warn(
          `${name}: ${error.message}${error.hint === undefined ? "" : ` (${error.hint})`}`,
        );
      }
      this.#refused.add(`${name} ${error.message}`);
      counts.refused = this.#refused.size;
      this.#seen.set(name, changed);
      return false;
    }
    this.#worked.add(name);
    // Once nobody has changed it meanwhile there is nothing left.
    this.#seen.set(name, changed);
    return true;
  }

  async #repeat(repeat: Awaited<ReturnType<typeof repeatable>>[number]): Promise<void> {
    const { environment, output, concurrency, counts } = this.#work;
    try {
      await repeat({
        environment: {
          ...environment,
          budget: new Budget({}),
          resumes: true,
          fleet: { part: "collect", concurrency, onEvent: (event) => counts.take(event) },
        },
        output: { ...output, result() {}, resultJson() {}, nextCommand() {} },
        shared: { json: false, debug: false },
      });
    } catch (error) {
      if (!(error instanceof Collected)) throw error;
    }
  }

  #isMine(models: readonly string[]): boolean {
    const mine = this.#work.models;
    if (mine === undefined) return true;
    return models.every(
      (model) => mine.includes(model) || mine.includes(model.replace(/@.*$/, "")),
    );
  }
}
