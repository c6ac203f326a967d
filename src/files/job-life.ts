import { readdir, readFile, stat } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { jsonOrNone } from "../core/read-json.js";
import { absent } from "./file-error.js";
import { isAlive } from "./process-life.js";

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
