import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "../core/models.js";
import { betweenSigns, jobNames, processNamed } from "../files/job-life.js";

/** A stream of text that a person or a program reads. */
export interface TextSink {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
}

/**
 * All that a verb may know of the outside: it is handed over, so that the whole command line runs
 * inside a test. Only `main.ts` makes one from the real process.
 */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  /** The address of a database in which studies are named; folders, where there is none. */
  readonly store?: string;
  /** How the program was called, such as `touchstone` or `./bin/touchstone`. */
  readonly program: string;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  now(): Date;
  /** Shows an address or a file in the browser of whoever sits here. */
  open(address: string): void;
  /** Local models by what they were chosen with, where a process carries out several command lines. */
  readonly models?: Map<string, ChosenModel>;
  /** Whoever watches from another process: it is told of progress, and of notes under --json too. */
  readonly watcher?: Watcher;
  /** Aborted when the user interrupts. Pass it on to whatever can take long. */
  readonly signal: AbortSignal;
}

/** A model that was chosen on the command line, and what metrics should know of it. */
export interface ChosenModel {
  readonly model: Model;
  /** Whether it can judge real photographs. */
  readonly judgesPhotographs: boolean;
  /** How many calls it takes at once, where they go over the network. */
  readonly callsAtOnce?: number;
  /** Loads it now, so that what is missing is said before any work is done. */
  load(): Promise<void>;
}

/** Whoever watches a command from another process, such as the studio that started it. */
export interface Watcher {
  progress(line: string): void;
}

/** Milliseconds between two lines of progress. */
const between = 500;

/**
 * Tells of this process in a folder: who it is at once, its progress while it works, and its exit code at its end. A disk
 * that is full hinders none of its work.
 */
export async function watchedIn(folder: string): Promise<Watcher> {
  const write = (name: string, text: string) => {
    try {
      writeFileSync(join(folder, name), text);
    } catch {
      // Who watches sees that the process is gone.
    }
  };
  const own = `${JSON.stringify(await processNamed())}\n`;
  const say = () => write(jobNames.process, own);
  say();
  setInterval(say, betweenSigns).unref();
  let [told, last] = [Number.NEGATIVE_INFINITY, ""];
  process.on("exit", (code) => {
    if (last !== "") write("progress.txt", `${last}\n`);
    write(jobNames.exit, `${JSON.stringify({ code, ended: new Date().toISOString() })}\n`);
  });
  return {
    progress(line) {
      last = line;
      const now = performance.now();
      if (now - told < between) return;
      told = now;
      write("progress.txt", `${line}\n`);
    },
  };
}
