import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { absent } from "../../files/file-error.js";
import { isAlive, processNamed } from "../../files/job-life.js";
import { type HeldFolder, holdFolder } from "../../files/sole-process.js";

const servedSchema = z.object({
  process: z.int(),
  began: z.string().optional(),
  host: z.string().optional(),
  url: z.string(),
});

/** The process that serves a study, and where. */
export interface Served {
  readonly process: number;
  /** When it began, where the system tells: process numbers come again. */
  readonly began?: string | undefined;
  /** Its machine; version 0.2 did not note it. */
  readonly host?: string | undefined;
  readonly url: string;
}

const fileOf = (directory: string): string => join(directory, "serving.json");

const isElsewhere = ({ host }: Served): boolean => host !== undefined && host !== hostname();

/** Who serves a study now; undefined where nobody does. A process of another machine counts as alive. */
export async function servedBy(directory: string): Promise<Served | undefined> {
  const path = fileOf(directory);
  const text = await readFile(path, "utf8").catch(absent(path));
  if (text === undefined) return undefined;
  const { data } = servedSchema.safeParse(JSON.parse(text));
  return data !== undefined && (isElsewhere(data) || (await isAlive(data))) ? data : undefined;
}

/** This process' place as the one server of a study in a folder. */
export class Serving {
  readonly #directory: string;
  readonly #held: HeldFolder;

  private constructor(directory: string, held: HeldFolder) {
    this.#directory = directory;
    this.#held = held;
  }

  /** @throws InputError where another process serves the study. */
  static async begin(directory: string): Promise<Serving> {
    const served = await servedBy(directory);
    if (served !== undefined) throw alreadyServed(directory, served, fileOf(directory));
    const held = await holdFolder(join(directory, "serving"), (holder) =>
      alreadyServed(directory, holder, holder.path),
    );
    return new Serving(directory, held);
  }

  /** Notes where people and other commands reach this process. */
  async note(url: string): Promise<void> {
    const served = { ...(await processNamed()), host: hostname(), url };
    await writeFileAtomically(fileOf(this.#directory), `${JSON.stringify(served)}\n`);
  }

  async end(): Promise<void> {
    await rm(fileOf(this.#directory), { force: true });
    await this.#held.leave();
  }
}

/** @param file what to remove where the process is of another machine and no longer exists */
function alreadyServed(
  directory: string,
  { process, host = hostname(), url }: Omit<Served, "url"> & { readonly url?: string },
  file: string,
): InputError {
  const at = url === undefined ? "" : ` at ${url}`;
  return new InputError(
    `Expected a study that nobody serves but process ${process} of ${host} serves ${directory}${at}`,
    {
      hint:
        host === hostname()
          ? "Stop it first: two servers on one folder would not know of each other's answers."
          : `Stop it there. If it no longer exists, remove ${file}`,
    },
  );
}

/**
 * Asks the process that serves a study to do something: it alone may write there.
 *
 * @throws InputError with what it answered where it refused, or where it is on another machine.
 */
export async function askServer(
  served: Served,
  { path, token, body }: { readonly path: string; readonly token: string; readonly body: object },
): Promise<unknown> {
  if (isElsewhere(served)) {
    throw new InputError(
      `Expected the study's server on this machine but process ${served.process} of ${served.host} serves it`,
      { hint: `Run this command on ${served.host}, or stop that server first.` },
    );
  }
  const response = await fetch(`${served.url}/admin/api/${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const refused = z.object({ error: z.object({ message: z.string() }) }).safeParse(answer);
  throw new InputError(refused.success ? refused.data.error.message : `HTTP ${response.status}`);
}
