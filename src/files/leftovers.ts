import { createHash, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { isAlive, type ProcessName, processNamed } from "./job-life.js";
import { namesIn } from "./make-folder.js";

/** How the name of a file begins that is not whole yet; the owner follows, and a hyphen. */
export const temporaryStart = ".touchstone-";

/** The owner of what belongs to no run: who writes it is a process by itself. */
export const nobody = "nobody";

/** The process that left this half-written file; `undefined` where it is none. */
export function ownerOfLeftover(name: string): string | undefined {
  if (!name.startsWith(temporaryStart)) return undefined;
  return name.slice(temporaryStart.length).split("-", 1)[0];
}

/** So much of a file's name stands in that of what is to become it: names may not be of any length. */
const mostShown = 60;
const stemFor = (path: string, owner: string) =>
  `${temporaryStart}${owner}-${basename(path).slice(0, mostShown)}.`;

/** Tells machines apart that share a folder. */
const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** The path of what is to become the file at `path`: beside it, and nobody else's. */
export async function temporaryPath(
  path: string,
  { owner, by }: { readonly owner: string; readonly by?: ProcessName },
): Promise<string> {
  const { process, began = "" } = by ?? (await processNamed());
  const id = [machine, process, began, randomUUID().slice(0, 8)].join("-");
  return join(dirname(path), `${stemFor(path, owner)}${id}`);
}

/**
 * Removes what processes of this machine that were killed left of the file or folder at `path`, where it
 * belongs to no run. What a living process, or one of another machine, writes is left alone.
 */
export async function clearAfterKilled(path: string): Promise<void> {
  const stem = stemFor(path, nobody);
  for (const name of await namesIn(dirname(path))) {
    if (!name.startsWith(stem)) continue;
    const [host, process, began] = name.slice(stem.length).split("-");
    if (host !== machine || !/^\d+$/.test(process ?? "")) continue;
    const who = { process: Number(process), began: began === "" ? undefined : began };
    if (!(await isAlive(who)))
      await rm(join(dirname(path), name), { force: true, recursive: true });
  }
}
