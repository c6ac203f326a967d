import { readdir, readFile, stat } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { jsonOrNone } from "../core/read-json.js";
import { absent, systemCode } from "./file-error.js";

/** The files of a job that say what was started where, which process it is, and how it ended. */
export const jobNames = { job: "job.json", process: "process.json", exit: "exit.json" } as const;

/** Milliseconds between two signs of life of a job: its process touches the file that names it. */
export const betweenSigns = 60_000;

/** A process as a job names it; a signal to 0 or below would reach many. */
const processSchema = z.object({ process: z.int().positive(), began: z.string().optional() });

/** Who works on a job. */
export const workedSchema = z.object({
  started: z.string(),
  host: z.string(),
  /** The studio that starts it, until its own process says who it is. */
  starter: processSchema,
});

/** What a file of JSON holds; undefined where it is missing, torn, or something else. */
export async function jsonIn<Value>(
  path: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  const text = await readFile(path, "utf8").catch(absent(path));
  return schema.safeParse(jsonOrNone(text)).data;
}

export const readProcess = (job: string) => jsonIn(join(job, jobNames.process), processSchema);

/** Whether the process of a job may still be at work; one of another machine while it gives signs of life. */
export async function isJobAlive(
  job: string,
  { host, starter, started }: z.output<typeof workedSchema>,
): Promise<boolean> {
  if (host !== hostname()) {
    const sign = await stat(join(job, jobNames.process)).catch(() => undefined);
    const last = sign?.mtimeMs ?? Date.parse(started);
    return Date.now() - last < 5 * betweenSigns;
  }
  const named = (await readProcess(job)) ?? starter;
  // Where only its number is known, another process may have it since the machine was started.
  const isOfBefore =
    named.began === undefined && Date.parse(started) < Date.now() - uptime() * 1000;
  return !isOfBefore && isAlive(named);
}

/** Whether a job said how it ended, or is gone without a word. */
export async function isJobOver(job: string): Promise<boolean> {
  const inside = (await readdir(job).catch(() => undefined)) ?? [];
  if (inside.includes(jobNames.exit)) return true;
  const worked = await jsonIn(join(job, jobNames.job), workedSchema);
  return worked !== undefined && !(await isJobAlive(job, worked));
}

/** A process of this machine: its number, and when it began in the words of its system. */
export interface ProcessName {
  readonly process: number;
  /** A number may be given to another later; where not known, the number has to do. */
  readonly began?: string | undefined;
}

/** A process by its number, which is its own as long as it lives; this one if not given. */
export async function processNamed(number: number = process.pid): Promise<ProcessName> {
  return { process: number, began: (await stateOf(number))?.began };
}

/** Whether a process of this machine may still be at work; where it can't be told, it may. */
export async function isAlive({ process: number, began }: ProcessName): Promise<boolean> {
  try {
    process.kill(number, 0);
  } catch (error) {
    if (systemCode(error) !== "EPERM") return false;
  }
  const found = await stateOf(number);
  if (found === undefined) return true;
  // A process that has ended, and that its parent has not asked about, still has its number.
  return !"ZX".includes(found.state) && (began === undefined || found.began === began);
}

/** Linux says how a process is and when it began; elsewhere its number has to do. */
async function stateOf(
  number: number,
): Promise<{ readonly state: string; readonly began: string } | undefined> {
  try {
    const text = await readFile(`/proc/${number}/stat`, "utf8");
    // The name before may hold anything in its brackets.
    const members = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state, began] = [members[0], members[19]];
    return state === undefined || began === undefined ? undefined : { state, began };
  } catch {
    return undefined;
  }
}
