import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { isJobAlive, jobNames, jsonIn, readProcess, workedSchema } from "../../files/job-life.js";
import type { JobState } from "./job-api.js";

const jobSchema = workedSchema.extend({
  verb: z.string(),
  filled: z.record(
    z.string(),
    z.union([z.string(), z.array(z.string()).readonly(), z.boolean()]).optional(),
  ),
  words: z.array(z.string()).readonly(),
  command: z.string(),
});
export type JobFile = z.output<typeof jobSchema>;

const exitSchema = z.object({ code: z.int().nullable(), ended: z.string() });
export type JobExit = z.output<typeof exitSchema>;

/** Files of a job in its folder. */
export const jobFiles = {
  ...jobNames,
  log: "log.txt",
  result: "result.json",
  progress: "progress.txt",
} as const;

export const readJob = (folder: string) => jsonIn(join(folder, jobFiles.job), jobSchema);
const readExit = (folder: string) => jsonIn(join(folder, jobFiles.exit), exitSchema);

const resultSchema = z.looseObject({
  verdict: z.union([z.string(), z.array(z.string())]).optional(),
  run: z.string().nullish(),
  study: z.looseObject({ study: z.string().optional(), goOn: z.string().nullish() }).optional(),
});
const step = z.object({
  what: z.string(),
  tasks: z.number().nullable(),
  calls: z.number().nullable(),
  cost: z.number().nullable(),
});
/** The JSON of a verb that was stopped before it asked, or of one that only counts. */
export const estimateSchema = z.union([
  z.object({ error: z.object({ forecast: z.array(step) }) }),
  z.object({ forecast: z.array(step).default([]) }),
]);

/** What a verb says in JSON where it refuses. */
export const refusalSchema = z.object({
  error: z.object({ message: z.string(), hint: z.string().nullish() }),
});

export const readResult = (folder: string) => jsonIn(join(folder, jobFiles.result), resultSchema);

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
  job: JobFile,
): Promise<{ readonly state: JobState; readonly exit?: JobExit }> {
  const exit = await readExit(folder);
  if (exit !== undefined) return { state: stateOfExit(exit), exit };
  if (await isJobAlive(folder, job)) {
    return { state: (await readProcess(folder)) === undefined ? "starting" : "running" };
  }
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
