import { randomUUID } from "node:crypto";
import { readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { Worker } from "../../core/record-store.js";
import { namesIn } from "../directory.js";
import { fileError, systemCode } from "../file-error.js";
import { temporaryStart } from "../leftovers.js";
import { makeFolder } from "../make-folder.js";
import { isAlive, thisProcess } from "../process-life.js";

const workerSchema = z.object({
  host: z.string(),
  process: z.int(),
  /** When the process began, in the words of its system: a number may be given to another later. */
  began: z.string().optional(),
  command: z.string().optional(),
});

/** A process at work on a run, by its files. */
export interface FolderWorker extends z.output<typeof workerSchema> {
  readonly id: string;
  /** Batches that it alone may do at the moment. */
  readonly claims: readonly string[];
  readonly wantsTurn: boolean;
  /** Whether it is on this machine, so that it is known to live. */
  readonly isHere: boolean;
  /** The file that says who it is. */
  readonly path: string;
}

/** How a claim went. */
export interface Claim {
  readonly isMine: boolean;
  /** The others that were at work then. */
  readonly others: readonly FolderWorker[];
}

/** The process as the contract has it. */
export const workerOf = ({ id, process, host, isHere, path, command }: FolderWorker): Worker => ({
  id,
  who: `process ${process} of ${host}${isHere ? "" : ` (if that no longer exists, remove ${path})`}`,
  command,
});

const turnPause = 5;
const longestTurn = 60_000;

/**
 * The folder `work/` of a run, in which each process at work has files of its own and touches no
 * other's: `ID.json` says who it is, `ID.turn` that it wants or has the turn, `ID.claim.NAME` what
 * it claims. They hold as long as their process lives: what a killed one left counts for nothing,
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
    const { process, began } = await thisProcess();
    const me = {
      host: hostname(),
      process,
      ...(began === undefined ? {} : { began }),
      ...(command === undefined ? {} : { command }),
    };
    const text = `${JSON.stringify(me)}\n`;
    for (let round = 0; ; round++) {
      try {
        // Whole or not there, but in no need to outlast a power cut, which ends the process too.
        await makeFolder(this.directory);
        const beside = join(this.directory, `${temporaryStart}${id}-worker`);
        await writeFile(beside, text);
        await rename(beside, join(this.directory, `${id}.json`));
        return new Workplace(this, id);
      } catch (error) {
        // The last to leave removes the folder, perhaps just now.
        const cause = error instanceof InputError ? error.cause : error;
        if (systemCode(cause) !== "ENOENT" || round > 9) {
          throw fileError(error, "write", this.directory);
        }
      }
    }
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
        const claims = names.flatMap((name) =>
          name.startsWith("claim.") ? [name.slice("claim.".length)] : [],
        );
        living.push({
          ...who,
          id,
          claims,
          wantsTurn: names.includes("turn"),
          isHere: who.host === hostname(),
          path: join(this.directory, `${id}.json`),
        });
      }
    }
    return { living, gone };
  }

  /** Removes the files of those that are gone. */
  async clear(ids: readonly string[]): Promise<void> {
    for (const name of await namesIn(this.directory)) {
      const [id = ""] = name.split(".", 1);
      if (ids.includes(id)) await rm(join(this.directory, name), { force: true });
    }
  }

  /** A file that can't be read is a dead one's: a living one's is always whole. */
  async #whoIs(id: string): Promise<z.output<typeof workerSchema> | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    try {
      const text = await readFile(join(this.directory, `${id}.json`), "utf8");
      const who = workerSchema.parse(JSON.parse(text));
      this.#known.set(id, who);
      return who;
    } catch {
      return undefined;
    }
  }
}

/** The place of one process, or of one of several runs in it, at the work on a run. */
export class Workplace {
  readonly id: string;
  readonly #folder: WorkFolder;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(folder: WorkFolder, id: string) {
    this.#folder = folder;
    this.id = id;
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

  /** Claims a name, unless another at work claims it; says who is at work. */
  async claim(name: string): Promise<Claim> {
    return this.inTurn(async (others) => {
      const isMine = others.every(({ claims }) => !claims.includes(name));
      if (isMine) await this.#write(`claim.${name}`);
      return { isMine, others };
    });
  }

  async release(name: string): Promise<void> {
    await rm(this.#path(`claim.${name}`), { force: true });
  }

  /** Ends being at work, and all claims with it. */
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
