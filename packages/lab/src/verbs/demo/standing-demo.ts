import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { toolFile, version } from "touchstone-t2i/internal/cli/program.js";
import type { JsonObject } from "touchstone-t2i/internal/core/json.js";
import { keyOf } from "touchstone-t2i/internal/core/keys.js";
import { writeFileAtomically } from "touchstone-t2i/internal/files/atomic.js";
import { absent } from "touchstone-t2i/internal/files/file-error.js";
import { fingerprintOf } from "touchstone-t2i/internal/files/fingerprint.js";
import { z } from "zod";
import { packageFile } from "../../package-file.js";

/** Outcome of a demo. */
const madeDemo = z.object({
  /** For a terminal. */
  text: z.string(),
  /** The same and more, as text of JSON. */
  json: z.string(),
  /** The path of its report. */
  report: z.string(),
});
export type MadeDemo = z.output<typeof madeDemo>;

const standing = madeDemo.extend({ key: z.string() });

/** Beside the report; the trace and who is at work change nothing that it says. */
const file = "demo.json";
const without = [file, "trace", "work"];

const programFolders = [
  ...["dist", "data"].map(toolFile),
  ...["dist", "data", "weights"].map(packageFile),
].map((folder) => fileURLToPath(folder));

/** Where a demo stands, and all that is said of how it is made and shown. */
export interface DemoPlace {
  /** The folder of the run. */
  readonly folder: string;
  readonly asked: JsonObject;
}

/**
 * Reads a demo's earlier outcome, where no file of its folder has changed since, nor any of the
 * program: then drawing the same conclusions again would give the same. Else undefined.
 */
export async function standingDemo(place: DemoPlace): Promise<MadeDemo | undefined> {
  const path = join(place.folder, file);
  const text = await readFile(path, "utf8").catch(absent(path));
  if (text === undefined) return undefined;
  const { data } = standing.safeParse(parsed(text));
  if (data === undefined || data.key !== (await keyOfDemo(place))) return undefined;
  const { key: _, ...made } = data;
  return made;
}

/** Notes what a demo came to, for whoever runs it again. */
export async function keepDemo(made: MadeDemo, place: DemoPlace): Promise<void> {
  const key = await keyOfDemo(place);
  await writeFileAtomically(join(place.folder, file), `${JSON.stringify({ key, ...made })}\n`);
}

const keyOfDemo = async ({ folder, asked }: DemoPlace): Promise<string> =>
  keyOf({
    version: version(),
    folder: resolve(folder),
    asked,
    program: await fingerprintOf(programFolders),
    files: await fingerprintOf([folder], { without }),
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
