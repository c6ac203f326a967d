import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IncompleteError } from "../core/errors.js";
import type { RecordStore } from "../core/record-store.js";
import type { RecordType } from "../core/records.js";
import { stepId } from "../core/step.js";
import { writeFolderAtomically } from "../files/atomic-folder.js";
import {
  type ExportedRun,
  type ExportedTable,
  exportFile,
} from "../files/record-tables/exported-run.js";
import { ParquetParts } from "../files/record-tables/parquet-parts.js";
import { recordCells, recordColumns, recordTables } from "../files/record-tables/record-columns.js";

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Told after each thousand records of a step. */
  readonly onProgress?: (progress: { readonly step: string; readonly records: number }) => void;
}

const toldEach = 10_000;

/**
 * Writes a run's records as Parquet into a new folder: `scores/step=STEP/part-00000.parquet` and so on, a
 * folder for each kind of record, as pandas, Polars, DuckDB and Spark read it, with the column `step` from
 * the folders' names. Of several records of one key the latest is written. All is written, or nothing.
 *
 * @throws InputError where the folder is not empty; IncompleteError where `signal` aborted.
 */
export async function exportRun(
  store: RecordStore,
  directory: string,
  { signal, onProgress = () => {} }: ExportOptions,
): Promise<ExportedRun> {
  return writeFolderAtomically(directory, async (folder) => {
    const tables: Record<string, ExportedTable> = {};
    for (const step of store.recipe.steps.map(stepId)) {
      const parts = new Map<RecordType, PartsOf>();
      let records = 0;
      for await (const record of store.ofStep(step)) {
        if (signal.aborted)
          throw new IncompleteError("The export was stopped: nothing was written");
        const { type } = record;
        const known = parts.get(type) ?? partsOf(type, { folder, step });
        parts.set(type, known);
        await known.parts.add(recordCells(record, known.columns));
        records += 1;
        if (records % toldEach === 0) onProgress({ step, records });
      }
      for (const [type, { parts: written, columns }] of parts) {
        await written.close();
        const name = recordTables[type];
        tables[name] = {
          rows: (tables[name]?.rows ?? 0) + written.rows,
          columns: ["step", ...columns.map((column) => column.name)],
        };
      }
    }
    const exported: ExportedRun = { run: store.place, software: store.recipe.software, tables };
    await writeFile(join(folder, exportFile), `${JSON.stringify(exported, null, 2)}\n`);
    return exported;
  });
}

interface PartsOf {
  readonly parts: ParquetParts;
  readonly columns: ReturnType<typeof recordColumns>;
}

function partsOf(
  type: RecordType,
  { folder, step }: { readonly folder: string; readonly step: string },
): PartsOf {
  const columns = recordColumns(type);
  // Names of steps are of a-z, 0-9 and hyphens: safe in the name of a partition.
  const parts = new ParquetParts(join(folder, recordTables[type], `step=${step}`), columns);
  return { parts, columns };
}
