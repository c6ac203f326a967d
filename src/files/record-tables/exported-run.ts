import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { jsonOrNone } from "../../core/read-json.js";
import { checkEmpty, writeFileAtomically } from "../atomic.js";
import { absent, fileError } from "../file-error.js";
import { isAlive, processNamed } from "../job-life.js";
import { makeFolder } from "../make-folder.js";
import { readTextFile } from "../regular-file.js";

/** The file in a folder of `run export` that says what lies there. */
export const exportFile = "export.json";

const exportedTable = z.object({ rows: z.int().nonnegative(), columns: z.array(z.string()) });

const exportedRun = z.object({
  /** The run's place, without a password. */
  run: z.string(),
  /** Every version of Touchstone that worked on the run. */
  software: z.array(z.string()),
  /** By their folders' names. */
  tables: z.record(z.string().regex(/^[a-z_]+$/), exportedTable),
});

/** A table of an exported run; its columns with `step`, which stands in the names of its folders. */
export type ExportedTable = Readonly<z.output<typeof exportedTable>>;
/** A run as `run export` wrote it. */
export type ExportedRun = Readonly<z.output<typeof exportedRun>>;

/** Reads the note in a folder of `run export`; undefined where it is none. */
export async function readExportedRun(folder: string): Promise<ExportedRun | undefined> {
  const path = join(folder, exportFile);
  const text = await readTextFile(path).catch(absent(path));
  if (text === undefined) return undefined;
  try {
    return exportedRun.parse(JSON.parse(text));
  } catch (cause) {
    throw new InputError(`Expected what run export wrote in ${path} but it is something else`, {
      cause,
    });
  }
}

const progressFile = "unfinished.json";

const finishedPart = z.object({ step: z.string(), table: z.string(), rows: z.int().positive() });

const progressSchema = z.object({
  /** The identity of what is exported, as it was when it began. */
  of: z.string(),
  /** Who writes; null where it was stopped. */
  owner: z.object({ process: z.int(), began: z.string().optional() }).nullable(),
  parts: z.array(finishedPart),
});

/** A part of a table that is whole and on the disk. */
export type FinishedPart = Readonly<z.output<typeof finishedPart>>;

/**
 * The folder of an export while it is written: `OUT.partial`, renamed to OUT once all is in it. A note in
 * it lists the parts that are whole, so that an export that was stopped or killed goes on after them.
 */
export class UnfinishedExport {
  readonly folder: string;
  readonly #path: string;
  readonly #of: string;
  readonly #parts: FinishedPart[];

  private constructor(path: string, of: string, parts: readonly FinishedPart[]) {
    this.folder = folderOf(path);
    this.#path = path;
    this.#of = of;
    this.#parts = [...parts];
  }

  /**
   * Begins an export into a new folder, or goes on with one of the same.
   *
   * @param of what is exported; what was written of anything else is begun anew
   * @throws InputError where the folder holds something, or another process writes it.
   */
  static async open(path: string, of: string): Promise<UnfinishedExport> {
    await checkEmpty(path);
    try {
      const found = await readProgress(folderOf(path));
      if (found?.owner && (await isAlive(found.owner))) {
        throw new InputError(`Another process (${found.owner.process}) exports to ${path} now`, {
          hint: "Wait for it, or name another folder",
        });
      }
      const goesOn = found?.of === of;
      if (!goesOn) await rm(folderOf(path), { recursive: true, force: true });
      await makeFolder(folderOf(path));
      const unfinished = new UnfinishedExport(path, of, goesOn ? found.parts : []);
      await unfinished.#write({ isOwned: true });
      return unfinished;
    } catch (error) {
      throw fileError(error, "write", path);
    }
  }

  /** The parts of one step's table that are whole, in their order. */
  partsOf(step: string, table: string): readonly FinishedPart[] {
    return this.#parts.filter((part) => part.step === step && part.table === table);
  }

  get rows(): number {
    return this.#parts.reduce((sum, { rows }) => sum + rows, 0);
  }

  async add(part: FinishedPart): Promise<void> {
    this.#parts.push(part);
    await this.#write({ isOwned: true });
  }

  /** Puts the folder in its place. */
  async finish(): Promise<void> {
    try {
      await rm(join(this.folder, progressFile));
      await rename(this.folder, this.#path);
    } catch (error) {
      throw fileError(error, "write", this.#path);
    }
  }

  /** Lets another go on with it; leaves nothing where no part is whole. */
  async stop(): Promise<void> {
    if (this.#parts.length > 0) await this.#write({ isOwned: false });
    else await rm(this.folder, { recursive: true, force: true });
  }

  async #write({ isOwned }: { readonly isOwned: boolean }): Promise<void> {
    const owner = isOwned ? await processNamed() : null;
    const progress = { of: this.#of, owner, parts: this.#parts };
    await writeFileAtomically(join(this.folder, progressFile), `${JSON.stringify(progress)}\n`);
  }
}

const folderOf = (path: string): string => `${path}.partial`;

/** Progress noted of an export; undefined where there is none that can be gone on with. */
async function readProgress(folder: string) {
  const path = join(folder, progressFile);
  const text = await readTextFile(path).catch(absent(path));
  return progressSchema.safeParse(jsonOrNone(text)).data;
}
