import type { StudyChange } from "../home/study-change.js";
import type { StudyHome } from "../home/study-home.js";
import { StudyState } from "../home/study-state.js";

interface Job {
  readonly decides: boolean;
  readonly run: () => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Queue that all requests to a study go through, one after another over all servers: its state, brought up to
 * date, and what is decided on it. Those that wait for one turn of the home share the next, so that many
 * are stored at once. Whoever is told of a decision can rely on it: it is stored.
 */
export class StudyDecisions {
  readonly #home: Pick<StudyHome, "changes" | "turn" | "isShared">;
  #state = new StudyState();
  /** Up to where the state goes; undefined where it is to be read anew. */
  #upTo: number | undefined;
  #waiting: Job[] = [];
  #isWorking = false;
  /** Changes decided in this turn; undefined where nobody may decide. */
  #changes: StudyChange[] | undefined;

  constructor(home: Pick<StudyHome, "changes" | "turn" | "isShared">) {
    this.#home = home;
  }

  get state(): StudyState {
    return this.#state;
  }

  /** Looks at the state; it has what any server had answered before this was called. */
  async look<Result>(read: () => Result): Promise<Result> {
    if (!this.#home.isShared && this.#upTo !== undefined) return read();
    return this.#queued(read, { decides: false });
  }

  /**
   * Decides on the state. `work` writes by `write`, and does so last: what it has thrown is told, and what it
   * had written before stands.
   */
  decide<Result>(work: () => Result): Promise<Result> {
    return this.#queued(work, { decides: true });
  }

  /** Changes the state; what `decide` returned is told when it is stored. */
  write(change: StudyChange): void {
    if (this.#changes === undefined) throw new Error("Expected a decision to be under way");
    this.#changes.push(change);
    this.#state.apply(change);
  }

  #queued<Result>(work: () => Result, { decides }: { decides: boolean }): Promise<Result> {
    return new Promise((resolve, reject) => {
      let tell = () => {};
      const run = () => {
        try {
          const result = work();
          tell = () => resolve(result);
        } catch (error) {
          tell = () => reject(error);
        }
      };
      this.#waiting.push({ decides, run, done: () => tell(), failed: reject });
      if (!this.#isWorking) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    // Whoever asks in this very turn of the loop is decided on with the first.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting;
      this.#waiting = [];
      try {
        await this.#round(jobs);
        for (const { done } of jobs) done();
      } catch (error) {
        // What of it is stored nobody knows.
        this.#upTo = undefined;
        for (const { failed } of jobs) failed(error);
      }
    }
    this.#isWorking = false;
  }

  async #round(jobs: readonly Job[]): Promise<void> {
    this.#upTo ??= await this.#readAnew();
    const since = this.#upTo;
    if (!jobs.some(({ decides }) => decides)) {
      if (this.#home.isShared) this.#upTo = this.#take(await this.#home.changes(since));
      for (const { run } of jobs) run();
      return;
    }
    this.#upTo = await this.#home.turn(since, (others) => {
      for (const change of others) this.#state.apply(change);
      const changes: StudyChange[] = [];
      this.#changes = changes;
      for (const { run } of jobs) run();
      this.#changes = undefined;
      return changes;
    });
  }

  async #readAnew(): Promise<number> {
    const all = await this.#home.changes(0);
    this.#state = new StudyState();
    return this.#take(all);
  }

  #take({ changes, upTo }: { readonly changes: readonly StudyChange[]; readonly upTo: number }) {
    for (const change of changes) this.#state.apply(change);
    return upTo;
  }
}
