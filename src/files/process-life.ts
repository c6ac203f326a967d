import { readFile } from "node:fs/promises";
import { systemCode } from "./file-error.js";

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
