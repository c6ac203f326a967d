import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IncompleteError } from "../core/errors.js";
import type { RecordStore } from "../core/record-store.js";
import { type RecordType, recordSchemaVersion } from "../core/records.js";
import { stepId } from "../core/step.js";
import { fileError } from "../files/file-error.js";
import {
  type ExportedRun,
  type ExportedTable,
  exportFile,
} from "../files/record-tables/exported-run.js";
import { ParquetParts } from "../files/record-tables/parquet-parts.js";
import { recordCells, recordColumns, recordTables } from "../files/record-tables/record-columns.js";
import { UnfinishedExport } from "../files/record-tables/unfinished-export.js";

/** Members of a store that an export reads. */
export type ExportedStore = Pick<RecordStore, "place" | "recipe" | "ofStep" | "changedAt">;

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Told after each thousand records of a step. */
  readonly onProgress?: (progress: { readonly step: string; readonly records: number }) => void;
  /** Writes records of these steps only. */
  readonly steps?: readonly string[];
  /** Rows of one file, two million by default. */
  readonly rowsOfPart?: number;
}

const toldEach = 10_000;

/**
 * Writes a run's records as Parquet into a new folder: `scores/step=STEP/part-00000.parquet` and so on, a
 * folder for each kind of record, as pandas, Polars, DuckDB and Spark read it, with the column `step` from
 * the folders' names. Of several records of one key the latest is written. The folder is there once all is
 * in it. Before, `DIRECTORY.partial` keeps the files that are whole: an export that was stopped goes on after
 * them, and begins anew where the run has changed meanwhile.
 *
 * @throws InputError where the folder is not empty or another writes it; IncompleteError where `signal` aborted.
 */
export async function exportRun(
  store: ExportedStore,
  directory: string,
  {
    signal,
    onProgress = () => {},
    steps = store.recipe.steps.map(stepId),
    rowsOfPart,
  }: ExportOptions,
): Promise<ExportedRun> {
  const unfinished = await UnfinishedExport.open(directory, await identityOf(store));
  try {
    const tables: Record<string, ExportedTable> = {};
    for (const step of steps) {
      const parts = new Map<RecordType, PartsOf>();
      let records = 0;
      for await (const record of store.ofStep(step)) {
        if (signal.aborted) throw stopped(unfinished);
        const { type } = record;
        const known = parts.get(type) ?? partsOf(type, { unfinished, step, rowsOfPart });
        parts.set(type, known);
        known.rows += 1;
        // What stands in a part that is whole is passed over.
        if (known.rows > known.written) await known.parts.add(recordCells(record, known.columns));
        records += 1;
        if (records % toldEach === 0) onProgress({ step, records });
      }
      for (const [type, { parts: written, columns, rows }] of parts) {
        await written.close();
        const name = recordTables[type];
        tables[name] = {
          rows: (tables[name]?.rows ?? 0) + rows,
          columns: ["step", ...columns.map((column) => column.name)],
        };
      }
    }
    const exported: ExportedRun = { run: store.place, software: store.recipe.software, tables };
    const text = `${JSON.stringify(exported, null, 2)}\n`;
    await writeFile(join(unfinished.folder, exportFile), text);
    await unfinished.finish();
    return exported;
  } catch (error) {
    await unfinished.stop();
    throw fileError(error, "write", directory);
  }
}

/** Identity of an export: another run, or the same run once changed, is exported from its beginning. */
async function identityOf(store: ExportedStore): Promise<string> {
  const changed = (await store.changedAt())?.toISOString() ?? null;
  return JSON.stringify({ run: store.place, changed, schema: recordSchemaVersion });
}

function stopped(unfinished: UnfinishedExport): IncompleteError {
  const { rows, folder } = unfinished;
  if (rows === 0) return new IncompleteError("The export was stopped: nothing was written");
  return new IncompleteError(`The export was stopped after ${rows} rows, which are in ${folder}`, {
    hint: "The same command goes on with it.",
  });
}

interface PartsOf {
  readonly parts: ParquetParts;
  readonly columns: ReturnType<typeof recordColumns>;
  /** Rows that whole parts have from before. */
  readonly written: number;
  /** Rows that were read. */
  rows: number;
}

function partsOf(
  type: RecordType,
  {
    unfinished,
    step,
    rowsOfPart,
  }: {
    readonly unfinished: UnfinishedExport;
    readonly step: string;
    readonly rowsOfPart: number | undefined;
  },
): PartsOf {
  const columns = recordColumns(type);
  const table = recordTables[type];
  const before = unfinished.partsOf(step, table);
  // Names of steps are of a-z, 0-9 and hyphens: safe in the name of a partition.
  const parts = new ParquetParts(join(unfinished.folder, table, `step=${step}`), columns, {
    written: before.length,
    onPart: (rows) => unfinished.add({ step, table, rows }),
    ...(rowsOfPart === undefined ? {} : { rowsOfPart }),
  });
  return { parts, columns, rows: 0, written: before.reduce((sum, { rows }) => sum + rows, 0) };
}
