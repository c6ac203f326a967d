import { randomUUID } from "node:crypto";
import { readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { jsonOrNone } from "../../core/read-json.js";
import type { Worker } from "../../core/record-store.js";
import { temporaryStart } from "../atomic.js";
import { absent, failed, fileError, systemCode } from "../file-error.js";
import { isAlive, processNamed } from "../job-life.js";
import { makeFolder, namesIn } from "../make-folder.js";

const workerSchema = z.object({
  host: z.string(),
  process: z.int(),
  /** When the process began, in the words of its system: a number may be given to another later. */
  began: z.string().optional(),
  command: z.string().optional(),
  /** Whether it is yet to hold the folder, which one process at a time does. */
  waits: z.boolean().optional(),
});

/** A process at work on a run, by its files. */
export interface FolderWorker extends z.output<typeof workerSchema> {
  readonly id: string;
  readonly wantsTurn: boolean;
  /** Whether it is on this machine, so that it is known to live. */
  readonly isHere: boolean;
  /** The file that says who it is. */
  readonly path: string;
}

/** The process as the contract has it. */
export const workerOf = ({ id, process, host, isHere, path, command }: FolderWorker): Worker => ({
  id,
  who: `process ${process} of ${host}${isHere ? "" : ` (if that no longer exists, remove ${path})`}`,
  command,
});

/** Why a run that another process holds can't be worked on. */
export const heldRun = (run: string, holder: FolderWorker): InputError => {
  const { process, host, command, isHere } = holder;
  return new InputError(
    `Expected to work on ${run} alone but process ${process} of ${host} works on it` +
      (command === undefined ? "" : `: ${command}`),
    {
      hint: isHere
        ? "Wait for it, or stop it: what it finished is kept, and this command goes on from there."
        : `If that process no longer exists, take the run over: touchstone run resume ${run} --take-over`,
    },
  );
};

const turnPause = 5;
const longestTurn = 60_000;

/**
 * The folder `work/` of a run, in which each process at work has files of its own and touches no
 * other's: `ID.json` says who it is and whether it holds the folder, `ID.turn` that it wants or has
 * the turn. They count as long as their process lives: what a killed one left is in nobody's way,
 * so nothing is ever taken over, and nobody can take over twice.
 */
export class WorkFolder {
  readonly directory: string;
  readonly #known = new Map<string, z.output<typeof workerSchema>>();

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Begins to be at work, until `Workplace.leave`. */
  async enter({ command }: { command?: string } = {}): Promise<Workplace> {
    const id = randomUUID().slice(0, 8);
    const { process, began } = await processNamed();
    const me = {
      host: hostname(),
      process,
      ...(began === undefined ? {} : { began }),
      ...(command === undefined ? {} : { command }),
    };
    for (let round = 0; ; round++) {
      try {
        // Whole or not there, but in no need to outlast a power cut, which ends the process too.
        await makeFolder(this.directory);
        await this.#introduce(id, { ...me, waits: true });
        return new Workplace(this, id, () =>
          this.#introduce(id, me).catch(failed("write", this.directory)),
        );
      } catch (error) {
        // The last to leave removes the folder, perhaps just now.
        const cause = error instanceof InputError ? error.cause : error;
        if (systemCode(cause) !== "ENOENT" || round > 9) {
          throw fileError(error, "write", this.directory);
        }
      }
    }
  }

  async #introduce(id: string, who: z.output<typeof workerSchema>): Promise<void> {
    const beside = join(this.directory, `${temporaryStart}${id}-worker`);
    await writeFile(beside, `${JSON.stringify(who)}\n`);
    await rename(beside, join(this.directory, `${id}.json`));
  }

  /** The living, in the order of their ids, and the ids of those that left files and are gone. */
  async look(
    me?: string,
  ): Promise<{ readonly living: readonly FolderWorker[]; readonly gone: readonly string[] }> {
    const files = new Map<string, string[]>();
    for (const name of await namesIn(this.directory)) {
      const [, id, rest] = /^([0-9a-z]+)\.(.+)$/.exec(name) ?? [];
      if (id !== undefined && rest !== undefined) files.set(id, [...(files.get(id) ?? []), rest]);
    }
    const living: FolderWorker[] = [];
    const gone: string[] = [];
    for (const [id, names] of files) {
      const who = names.includes("json") ? await this.#whoIs(id) : undefined;
      const isAlive = who !== undefined && (id === me || (await mayLive(who)));
      if (!isAlive) gone.push(id);
      else {
        living.push({
          ...who,
          id,
          wantsTurn: names.includes("turn"),
          isHere: who.host === hostname(),
          path: join(this.directory, `${id}.json`),
        });
      }
    }
    return { living, gone };
  }

  /** Removes the files of processes of other machines, for whoever knows that they are gone. */
  async takeOver(): Promise<void> {
    const { living } = await this.look();
    await this.clear(living.filter(({ isHere }) => !isHere).map(({ id }) => id));
  }

  /** Removes the files of those that are gone. */
  async clear(ids: readonly string[]): Promise<void> {
    for (const name of await namesIn(this.directory)) {
      const [id = ""] = name.split(".", 1);
      if (ids.includes(id)) await rm(join(this.directory, name), { force: true });
    }
  }

  /** A file that is gone or torn is a dead one's: a living one's is always whole. */
  async #whoIs(id: string): Promise<z.output<typeof workerSchema> | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const path = join(this.directory, `${id}.json`);
    const text = await readFile(path, "utf8").catch(absent(path));
    const { data: who } = workerSchema.safeParse(jsonOrNone(text));
    if (who !== undefined && who.waits !== true) this.#known.set(id, who);
    return who;
  }
}

/** The place of one process, or of one of several runs in it, at the work on a run. */
export class Workplace {
  readonly id: string;
  readonly #folder: WorkFolder;
  readonly #settle: () => Promise<void>;
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** @param settle says that it no longer waits */
  constructor(folder: WorkFolder, id: string, settle: () => Promise<void>) {
    this.#folder = folder;
    this.id = id;
    this.#settle = settle;
  }

  /** The others at work. @throws InputError where this one's own files are gone. */
  async others(): Promise<readonly FolderWorker[]> {
    const { living } = await this.#folder.look(this.id);
    if (!living.some(({ id }) => id === this.id)) {
      throw new InputError(
        `Expected the file ${join(this.#folder.directory, `${this.id}.json`)} of this process but it is gone`,
        { hint: "No one may remove it while its process is running. Run the same command again." },
      );
    }
    return living.filter(({ id }) => id !== this.id);
  }

  /**
   * Does something while no other at work on the run is doing anything in its turn. Each raises a
   * flag of its own before it looks at the others', so of two at least one sees the other (the
   * one-bit algorithm of Burns and Lamport); the smaller id goes first.
   *
   * @throws InputError where another has kept its turn for a minute.
   */
  async inTurn<Result>(
    work: (others: readonly FolderWorker[]) => Promise<Result>,
  ): Promise<Result> {
    const turn = this.#lastTurn.then(async () => {
      const others = await this.#takeTurn();
      try {
        return await work(others);
      } finally {
        await rm(this.#path("turn"), { force: true });
      }
    });
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  /** Holds the folder until it leaves, unless another does; returns the other. */
  async hold(): Promise<FolderWorker | undefined> {
    return this.inTurn(async (others) => {
      const holder = others.find(({ waits }) => waits !== true);
      if (holder === undefined) await this.#settle();
      return holder;
    });
  }

  /** Ends being at work, and holding the folder. */
  async leave(): Promise<void> {
    await this.#lastTurn;
    await this.#folder.clear([this.id]);
    await rmdir(this.#folder.directory).catch(() => {
      // Others are at work there.
    });
  }

  async #takeTurn(): Promise<readonly FolderWorker[]> {
    await this.#write("turn");
    let isUp = true;
    for (let waited = 0; ; waited += turnPause) {
      const others = await this.others();
      const rivals = others.filter(({ wantsTurn }) => wantsTurn);
      const mustYield = rivals.some(({ id }) => id < this.id);
      if (isUp && rivals.length === 0) return others;
      if (waited > longestTurn) throw this.#stuck(rivals);
      if (isUp && mustYield) {
        await rm(this.#path("turn"), { force: true });
        isUp = false;
      } else if (!isUp && !mustYield) {
        await this.#write("turn");
        isUp = true;
        continue;
      }
      await pause(turnPause);
    }
  }

  #stuck([rival]: readonly FolderWorker[]): InputError {
    return new InputError(
      `Expected to have a turn at the run but process ${rival?.process} of ${rival?.host} keeps it`,
      {
        hint: `Wait for it, or end it. If it no longer exists, remove ${rival?.path}`,
      },
    );
  }

  async #write(name: string): Promise<void> {
    const path = this.#path(name);
    try {
      await writeFile(path, "");
    } catch (error) {
      throw fileError(error, "write", path);
    }
  }

  #path(name: string): string {
    return join(this.#folder.directory, `${this.id}.${name}`);
  }
}

/** Processes on another machine count as alive: nothing can be known about them. */
const mayLive = async (who: z.output<typeof workerSchema>): Promise<boolean> =>
  who.host !== hostname() || isAlive(who);
