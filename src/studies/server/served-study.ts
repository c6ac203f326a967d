import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { isAlive, thisProcess } from "../../files/process-life.js";

const servedSchema = z.object({
  process: z.int(),
  began: z.string().optional(),
  url: z.string(),
});

/** The process that serves a study, and where. */
export interface Served {
  readonly process: number;
  /** When it began, where the system tells: process numbers come again. */
  readonly began?: string | undefined;
  readonly url: string;
}

const fileOf = (directory: string): string => join(directory, "serving.json");

/** Who serves a study now; undefined where nobody does. */
export async function servedBy(directory: string): Promise<Served | undefined> {
  const text = await readFile(fileOf(directory), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const served = servedSchema.safeParse(JSON.parse(text));
  return served.success && (await isAlive(served.data)) ? served.data : undefined;
}

/** Notes that this process serves the study at `url`. */
export async function noteServing(directory: string, url: string): Promise<void> {
  const served = { ...(await thisProcess()), url };
  await writeFileAtomically(fileOf(directory), `${JSON.stringify(served)}\n`);
}

export const forgetServing = (directory: string): Promise<void> =>
  rm(fileOf(directory), { force: true });

/**
 * Asks the process that serves a study to do something: it alone may write there.
 *
 * @throws InputError with what it answered where it refused.
 */
export async function askServer(
  { url }: Served,
  { path, token, body }: { readonly path: string; readonly token: string; readonly body: object },
): Promise<unknown> {
  const response = await fetch(`${url}/admin/api/${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const refused = z.object({ error: z.object({ message: z.string() }) }).safeParse(answer);
  throw new InputError(refused.success ? refused.data.error.message : `HTTP ${response.status}`);
}
