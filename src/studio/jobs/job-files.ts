import { createReadStream } from "node:fs";
import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, resolve, sep } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { Filled } from "../../core/options.js";
import { isJobAlive, jobNames, jsonIn, readProcess, workedSchema } from "../../files/job-life.js";
import { outsideProblem } from "../../files/outside.js";
import { Refusal } from "../refusal.js";
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

/**
 * Refuses entries of a form that name what lies outside a folder: an absolute path, a way up, or a link that leads out,
 * wherever in an entry it stands (NAME=DIR, python:FILE:function).
 *
 * @throws Refusal with the entry's name.
 */
export async function refuseOutside(filled: Filled, root: string): Promise<void> {
  for (const [name, value] of Object.entries(filled)) {
    const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
    for (const part of texts.flatMap(partsOf)) {
      const leadsUp =
        normalize(part).split(sep).includes("..") || /(^|[/\\])\.\.([/\\]|$)/.test(part);
      if (
        leadsUp ||
        isAbsolute(part) ||
        /^[A-Za-z]:[\\/]/.test(part) ||
        (await leadsOut(part, root))
      ) {
        throw new Refusal(
          403,
          "outside",
          `Expected ${name} inside the folder that the studio was opened on but received "${part}"`,
          { hint: "Open the studio on a folder that holds it: touchstone studio DIR" },
        );
      }
    }
  }
}

/** A text, and what may be a path within it: a web address is taken for none, but for what it says itself as a path. */
function partsOf(whole: string): string[] {
  const text = whole.replace(/(?<=^|[=,:\s])https?:\/\/[^\s,=]*/g, "");
  return [whole, text, ...text.split(/[=,]/), ...text.split(/[=:,]/)];
}

/** Whether links lead out of the folder on the way to a path, which need not be there yet. */
async function leadsOut(part: string, root: string): Promise<boolean> {
  if (part === "" || part.includes("\0")) return part !== "";
  let path = resolve(root, part);
  for (;;) {
    const found = await lstat(path).catch(() => undefined);
    const target = found && (await realpath(path).catch(() => undefined));
    // A link to nothing may lead anywhere.
    if (found !== undefined && target === undefined) return true;
    if (target !== undefined) return (await outsideProblem(path, [root])) !== undefined;
    path = dirname(path);
  }
}
