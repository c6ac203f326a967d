import { open, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../core/errors.js";
import { fileError, systemCode } from "./file-error.js";

const holderSchema = z.object({ host: z.string(), process: z.int() });

/**
 * Lets one process at a time write to a run folder, by a file `run.lock`; returns the release.
 * The lock of a process that was killed is taken over.
 *
 * @throws InputError where another process is at work on the run.
 */
export async function lockRun(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, "run.lock");
  const me = JSON.stringify({ host: hostname(), process: process.pid });
  for (let round = 0; ; round++) {
    try {
      const file = await open(path, "wx");
      try {
        await file.writeFile(`${me}\n`);
      } finally {
        await file.close();
      }
      return () => rm(path, { force: true });
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw fileError(error, "write", path);
    }
    const holder = await holderOf(path);
    if (round > 0 || (holder !== undefined && mayLive(holder))) {
      throw new InputError(
        `Expected a run that nothing else is writing to but received ${directory}, on which ` +
          `process ${holder?.process ?? "unknown"} of ${holder?.host ?? "unknown"} is at work`,
        { hint: `Wait for it to end. If it no longer exists, remove ${path}.` },
      );
    }
    await rm(path, { force: true });
  }
}

type Holder = z.output<typeof holderSchema>;

/** `undefined` where the lock is gone or torn. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** Of another machine's processes nothing can be known, so they count as alive. */
function mayLive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.process, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
