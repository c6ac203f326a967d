import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { append } from "../../../core/append.js";
import { InputError } from "../../../core/errors.js";
import { stepId } from "../../../core/step.js";
import {
  exportedTables,
  fileTable,
  linesTable,
  withRecords,
} from "../../../files/duckdb/file-tables.js";
import type { SqlTable } from "../../../files/duckdb/tables-session.js";
import { matchingFiles } from "../../../files/matching-files.js";
import { hasStore, openStore, runPlace } from "../../../files/open-store.js";
import { readExportedRun } from "../../../files/record-tables/exported-run.js";
import { isRecordType } from "../../../files/record-tables/record-columns.js";
import { checkFile } from "../../../files/table-source.js";
import { exportRun } from "../../../runs/export-run.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";

/**
 * The tables of all that was given: runs, whose finished steps are read where their files lie, and whatever
 * has no file, such as what is in a database, is first written as Parquet into `folder`; folders of `run
 * export`; and files, a table for each word.
 *
 * @throws InputError for what is none of these, and where two words would name one table.
 */
export async function queryTables(
  words: readonly string[],
  {
    folder,
    environment,
    output,
  }: { readonly folder: string; readonly environment: Environment; readonly output: Output },
): Promise<SqlTable[]> {
  const ofRuns: SqlTable[] = [];
  const ofFiles: SqlTable[] = [];
  for (const [at, word] of words.entries()) {
    const path = resolve(environment.workingDirectory, word);
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    const exported = isFolder ? await readExportedRun(path) : undefined;
    if (exported !== undefined) append(ofRuns, await exportedTables(path, exported));
    else if (await hasStore(runPlace(word, environment))) {
      const store = await openStore(runPlace(word, environment));
      const elsewhere: string[] = [];
      for (const step of store.recipe.steps) {
        const id = stepId(step);
        const { produces: type } = step;
        const file = await store.fileOf(id);
        if (file !== undefined && isRecordType(type))
          ofRuns.push(linesTable(file, { run: word, step: id, type }));
        else if ((await store.stateOf(id)) !== "absent") elsewhere.push(id);
      }
      if (elsewhere.length === 0) continue;
      const into = join(folder, `run-${at}`);
      const { tables } = await exportRun(store, into, {
        signal: environment.signal,
        onProgress: ({ step, records }) => output.progress(`${step}: ${records} records read`),
        steps: elsewhere,
      });
      append(ofRuns, await exportedTables(into, { run: word, tables }));
    } else if (isFolder) {
      throw new InputError(
        `Expected a run, a folder of run export or files but ${word} is neither`,
        {
          hint: `Its files are named by a pattern: '${word}/*.parquet'`,
        },
      );
    } else {
      const files = await matchingFiles([word], environment.workingDirectory);
      const paths = files.map((file) => resolve(environment.workingDirectory, file));
      for (const [index, file] of files.entries()) {
        await checkFile({ name: file, path: paths[index] ?? file });
      }
      ofFiles.push(fileTable(word, paths));
    }
  }
  const tables = [...withRecords(ofRuns), ...ofFiles];
  if (tables.length === 0) throw new InputError(`Expected records in ${words.join(", ")}`);
  const names = tables.map(({ name }) => name.toLowerCase());
  const twice = tables.find(({ name }, at) => names.indexOf(name.toLowerCase()) < at);
  if (twice === undefined) return tables;
  throw new InputError(`Expected tables of different names but two are called ${twice.name}`, {
    hint: "A file's table has the file's name, a pattern's that of its folder",
  });
}
