import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IncompleteError } from "../core/errors.js";
import type { Key } from "../core/keys.js";
import { recordSchemaVersion } from "../core/record-schema.js";
import type { RecordStore } from "../core/record-store.js";
import type { RecordOf, RecordType } from "../core/records.js";
import { stepId } from "../core/step.js";
import { fileError } from "../files/file-error.js";
import {
  type ExportedRun,
  type ExportedTable,
  exportFile,
  UnfinishedExport,
} from "../files/record-tables/exported-run.js";
import { ParquetParts } from "../files/record-tables/parquet-parts.js";
import {
  type RecordColumn,
  recordCells,
  recordColumns,
  recordTables,
} from "../files/record-tables/record-columns.js";

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
 * the folders' names. Scores also have the column `input_model`, as results of `score` do: the model that made the
 * image to show the text. Of several records of one key the latest is written. The folder is there once all is
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
    const modelOf = await imageModels(store);
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
        if (known.rows > known.written) {
          const cells = recordCells(record, known.columns);
          const at = known.columns.indexOf(inputModel);
          if (record.type === "score") cells[at] = modelOf(record) ?? null;
          await known.parts.add(cells);
        }
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
  return JSON.stringify({ run: store.place, changed, schema: recordSchemaVersion, inputModel });
}

/** The model that made an image, as results of `score` call it. */
const inputModel = { name: "input_model", kind: "text" } as const;

/** An image by what it says about the model that made it. */
interface MadeImage {
  readonly model: string;
  /** The text that it was made to show; undefined where any text of it is. */
  readonly text?: string;
}

/**
 * Which model a score is about, as far as it is about one: it made the image to show the text. Other scores,
 * of an adversarial image or of a text with attributes swapped, say something about the metric alone.
 */
async function imageModels(
  store: Pick<ExportedStore, "recipe" | "ofStep">,
): Promise<(score: RecordOf<"score">) => string | undefined> {
  const made = new Map<Key, MadeImage>();
  for (const step of store.recipe.steps) {
    if (step.produces !== "image") continue;
    for await (const record of store.ofStep(stepId(step))) {
      if (record.type !== "image") continue;
      const { key, role, model, text } = record;
      if (role === "correct" || role === "control-correct") made.set(key, { model });
      else if (role === "description") made.set(key, { model, text });
    }
  }
  return ({ of, text }) => {
    const image = made.get(of);
    return image?.text === undefined || image.text === text ? image?.model : undefined;
  };
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
  readonly columns: readonly RecordColumn[];
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
  const columns = [...recordColumns(type), ...(type === "score" ? [inputModel] : [])];
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
