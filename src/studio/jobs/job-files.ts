import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { absent } from "../../files/file-error.js";
import { jobExitName } from "../../files/hidden-runs.js";
import { isAlive } from "../../files/process-life.js";
import type { JobState } from "./job-api.js";

const processSchema = z.object({ process: z.int().positive(), began: z.string().optional() });

const jobSchema = z.object({
  verb: z.string(),
  filled: z.record(
    z.string(),
    z.union([z.string(), z.array(z.string()).readonly(), z.boolean()]).optional(),
  ),
  words: z.array(z.string()).readonly(),
  command: z.string(),
  started: z.string(),
  host: z.string(),
  /** The studio that starts it, until its own process says who it is. */
  starter: processSchema,
});
export type JobFile = z.output<typeof jobSchema>;

const exitSchema = z.object({ code: z.int().nullable(), ended: z.string() });
export type JobExit = z.output<typeof exitSchema>;

/** Files of a job in its folder. */
export const jobFiles = {
  job: "job.json",
  process: "process.json",
  exit: jobExitName,
  log: "log.txt",
  result: "result.json",
  progress: "progress.txt",
} as const;

/** What a job's file holds; undefined where it is missing, torn, or no such thing. */
async function parsed<Value>(
  folder: string,
  name: string,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  const path = join(folder, name);
  const text = await readFile(path, "utf8").catch(absent(path));
  try {
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const readJob = (folder: string) => parsed(folder, jobFiles.job, jobSchema);
export const readProcess = (folder: string) => parsed(folder, jobFiles.process, processSchema);
const readExit = (folder: string) => parsed(folder, jobFiles.exit, exitSchema);

const resultSchema = z.looseObject({
  verdict: z.union([z.string(), z.array(z.string())]).optional(),
  run: z.string().nullish(),
  study: z.looseObject({ goOn: z.string().nullish() }).optional(),
});
export const readResult = (folder: string) => parsed(folder, jobFiles.result, resultSchema);

const states: Readonly<Record<number, JobState>> = {
  0: "done",
  3: "incomplete",
  4: "gate-missed",
  130: "stopped",
};

const stateOfExit = ({ code }: JobExit): JobState =>
  code === null ? "gone" : (states[code] ?? "failed");

/** How a job stands, and how it ended where it did. */
export async function stateOf(
  folder: string,
  { host, starter, started }: Pick<JobFile, "host" | "starter" | "started">,
): Promise<{ readonly state: JobState; readonly exit?: JobExit }> {
  const exit = await readExit(folder);
  if (exit !== undefined) return { state: stateOfExit(exit), exit };
  const own = await readProcess(folder);
  const named = own ?? starter;
  // Where only its number is known, another process may have it since the machine was started.
  const isOfBefore =
    named.began === undefined && Date.parse(started) < Date.now() - uptime() * 1000;
  // Nothing can be known about processes of another machine.
  const isAtWork = host !== hostname() || (!isOfBefore && (await isAlive(named)));
  if (isAtWork) return { state: own === undefined ? "starting" : "running" };
  // It may have ended since it was looked for.
  const late = await readExit(folder);
  return late === undefined ? { state: "gone" } : { state: stateOfExit(late), exit: late };
}

/** The last bytes of a text file; "" where there is none. */
export async function endOfText(path: string, bytes = 65_536): Promise<string> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return "";
  const from = Math.max(0, size - bytes);
  const end = await text(createReadStream(path, { start: from }));
  return from === 0 ? end : end.slice(end.indexOf("\n") + 1);
}
