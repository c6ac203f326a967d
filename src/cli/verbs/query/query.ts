import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { conclusionNamed, conclusions } from "../../../conclusions/conclusions.js";
import { type DialectName, dialectNames, dialects } from "../../../conclusions/sums/dialects.js";
import { sampleQuery, sumsQuery } from "../../../conclusions/sums/sums-query.js";
import { append } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { nearest } from "../../../core/nearest.js";
import { listText } from "../../../core/phrases.js";
import { stepId } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import {
  exportedTables,
  fileTable,
  linesTable,
  withRecords,
} from "../../../files/duckdb/file-tables.js";
import { type SqlTable, TablesSession } from "../../../files/duckdb/tables-session.js";
import { matchingFiles } from "../../../files/matching-files.js";
import { hasStore, openStore, runPlace } from "../../../files/open-store.js";
import { checkFile } from "../../../files/read-table.js";
import { readExportedRun } from "../../../files/record-tables/exported-run.js";
import { isRecordType } from "../../../files/record-tables/record-columns.js";
import { kindAt } from "../../../files/regular-file.js";
import { exportRun } from "../../../runs/export-run.js";
import { cellText } from "../../../tables/cell-json.js";
import { csvLine } from "../../../tables/cell-table.js";
import { command } from "../../command-line/command.js";
import { byEnding, checkOut } from "../../command-line/out-path.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";

export default command({
  description:
    "Answers one SQL query over runs, folders of run export, and CSV, JSONL, JSON or Parquet files, by " +
    "DuckDB. A run has the table records and one for each kind of record (prompts, images, scores " +
    "and so on) with the columns run and step; a file's table has the file's name, a pattern's " +
    "that of its folder; --tables lists them. Only reads: no other file, address or setting can " +
    "be reached. Needs the package @duckdb/node-api.",
  examples: [
    "touchstone query runs/demo 'SELECT metric, avg(value) FROM scores GROUP BY metric'",
    "touchstone query runs/demo --tables",
    "touchstone query 'scores/*.parquet' 'SELECT model, count(*) n FROM scores GROUP BY ALL'",
    "touchstone query --print contrastive --dialect spark --from lake.scores",
    "touchstone query a.csv b.csv 'SELECT * FROM a JOIN b USING (id)' --out joined.parquet",
  ],
  arguments: {
    source: {
      kind: "positional",
      repeated: true,
      optional: true,
      usage: "RUN|FILE... 'SELECT ...'",
      description: "runs, folders of run export, files or patterns; the last word is the query",
    },
    print: {
      kind: "text",
      value: "CONCLUSION",
      description:
        "print the one SELECT that sums a warehouse's rows by cluster, from whose answer analyze CONCLUSION comes to the " +
        "same figures; where all rows are needed, one that draws whole clusters",
    },
    dialect: {
      kind: "choice",
      choices: dialectNames,
      default: "duckdb",
      description: "whose SQL --print writes",
    },
    from: {
      kind: "text",
      value: "TABLE",
      default: "scores",
      description: "the table that --print reads, or a query in brackets with a name behind it",
    },
    share: {
      kind: "number",
      minimum: 0.000001,
      maximum: 1,
      description:
        "the share of clusters that --print draws where all rows are needed, such as 0.01",
    },
    tables: { kind: "switch", description: "list the tables and their columns; no query is given" },
    rows: {
      kind: "number",
      integer: true,
      minimum: 1,
      default: 40,
      description: "rows to print at most; --json and --out have all",
    },
    out: { kind: "text", value: "FILE", description: "write all rows: .csv, .jsonl or .parquet" },
    memory: {
      kind: "text",
      value: "SIZE",
      default: "4GB",
      description: "memory that DuckDB may take; what needs more goes to the disk",
    },
  },
  async run({ given, environment, output, words }) {
    if (given.print !== undefined) {
      const { sql, note } = await printedQuery(given.print, given);
      output.resultJson({ sql });
      if (!given.json) output.data(`${sql}\n`);
      if (note !== undefined) output.note(note);
      return;
    }
    if (!/^\d+(\.\d+)?\s*[KMGT]i?B$/i.test(given.memory)) {
      throw new InputError(
        `Expected a size such as 4GB for --memory but received "${given.memory}"`,
      );
    }
    const sources = given.tables ? given.source : given.source.slice(0, -1);
    const sql = given.tables ? "" : (given.source.at(-1) ?? "");
    if (sources.length === 0) {
      throw new InputError("Expected a run or files, and a query, but received one word", {
        hint: "touchstone query runs/demo 'SELECT * FROM scores'",
      });
    }
    const { out } = given;
    const write = out === undefined ? undefined : answerWriter(out, environment);
    const folder = await mkdtemp(join(tmpdir(), "touchstone-query-"));
    let session: TablesSession | undefined;
    try {
      const found = await queryTables(sources, { folder, environment, output });
      const inputs = found.flatMap(({ files }) => files);
      await checkOut(out, { ...environment, inputs });
      session = await TablesSession.open({ tables: found, folder, memory: given.memory });
      const opened = session;
      environment.signal.addEventListener("abort", () => opened.interrupt());
      const again = (asked: string, to?: string) =>
        words({ source: [...sources, asked], tables: false, out: to });
      if (given.tables) {
        const listed = await Promise.all(
          found.map(async ({ name }) => ({
            name,
            columns: (await opened.ask(`FROM "${name}" LIMIT 0`)).columns,
          })),
        );
        output.resultJson({
          tables: listed.map(({ name, columns }) => ({
            name,
            columns: columns.map((c) => ({ ...c })),
          })),
        });
        output.result(
          table(
            [{ title: "table" }, { title: "columns" }],
            listed.map(({ name, columns }) => [name, columns.map((one) => one.name).join(", ")]),
            output.style.width,
          ),
        );
        return output.nextCommand(again(`SELECT count(*) FROM ${listed[0]?.name}`));
      }
      if (write !== undefined) {
        await write(session, sql, folder);
        output.result(`Wrote ${out}`);
        output.resultJson({ out: out ?? "" });
        return output.nextCommand(["query", out ?? "", "--tables"]);
      }
      await print(session, { sql, most: given.rows, output, isJson: given.json });
      output.nextCommand(again(sql, "answer.csv"));
    } finally {
      session?.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
});

/** Prints the first rows, or all as JSON. */
async function print(
  session: TablesSession,
  {
    sql,
    most,
    output,
    isJson,
  }: {
    readonly sql: string;
    readonly most: number;
    readonly output: Parameters<Parameters<typeof command>[0]["run"]>[0]["output"];
    readonly isJson: boolean;
  },
): Promise<void> {
  const { columns, rows } = await session.ask(sql);
  const shown: (readonly Json[])[] = [];
  let count = 0;
  for await (const row of rows()) {
    count += 1;
    if (isJson || count <= most) shown.push(row);
    if (!isJson && count > most) break;
  }
  output.resultJson({
    columns: columns.map((column) => ({ ...column })),
    rows: shown.map((row) =>
      Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])),
    ),
  });
  const isNumber = ({ type }: { readonly type: string }) =>
    /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL)/.test(type) && !type.endsWith("]");
  output.result(
    [
      table(
        columns.map((column) => ({
          title: column.name,
          align: isNumber(column) ? ("right" as const) : ("left" as const),
        })),
        shown.map((row) => row.map(shownCell)),
        output.style.width,
      ),
      ...(count > most && !isJson ? [`The first ${most} rows; --rows N prints more.`] : []),
      ...(count === 0 ? ["No rows."] : []),
    ].join("\n"),
  );
}

/** A cell for the terminal: numbers by six figures; files and --json have all. */
const shownCell = (cell: Json): string =>
  typeof cell === "number" && !Number.isInteger(cell)
    ? String(Number(cell.toPrecision(6)))
    : cellText(cell);

const formats: Readonly<Record<string, "csv" | "json" | "parquet">> = {
  ".csv": "csv",
  ".jsonl": "json",
  ".parquet": "parquet",
};

/**
 * Returns what writes a query's answer to a file, in the format of its ending, a part at a time; the file
 * appears whole or not at all.
 *
 * @throws InputError for an ending other than .csv, .jsonl and .parquet.
 */
function answerWriter(
  out: string,
  { workingDirectory }: { readonly workingDirectory: string },
): (session: TablesSession, sql: string, folder: string) => Promise<void> {
  const format = byEnding(formats, out);
  const path = resolve(workingDirectory, out);
  return async (session, sql, folder) => {
    if (format === "csv") return writeFileAtomically(path, csvOf(session, sql));
    const written = join(folder, `answer.${format}`);
    await session.write(sql, written, format);
    await writeFileAtomically(path, createReadStream(written));
  };
}

/** The answer as CSV, written as all our files are: no cell is a formula to a spreadsheet. */
async function* csvOf(session: TablesSession, sql: string): AsyncGenerator<string> {
  const { columns, rows } = await session.ask(sql);
  yield csvLine(columns.map(({ name }) => name));
  for await (const row of rows()) yield csvLine(row.map(cellText));
}

/**
 * The tables of all that was given: runs, whose finished steps are read where their files lie, and whatever
 * has no file, such as what is in a database, is first written as Parquet into `folder`; folders of `run
 * export`; and files, a table for each word.
 *
 * @throws InputError for what is none of these, and where two words would name one table.
 */
async function queryTables(
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
    const isFolder = (await kindAt(path)) === "folder";
    const exported = isFolder ? await readExportedRun(path) : undefined;
    if (exported !== undefined) append(ofRuns, await exportedTables(path, exported));
    else if (await hasStore(runPlace(word, environment))) {
      const store = await openStore(runPlace(word, environment));
      const elsewhere: string[] = [];
      const hasImages = store.recipe.steps.some(({ produces }) => produces === "image");
      for (const step of store.recipe.steps) {
        const id = stepId(step);
        const { produces: type } = step;
        const file = await store.fileOf(id);
        if (file !== undefined && isRecordType(type))
          ofRuns.push(linesTable(file, { run: word, step: id, type, hasImages }));
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

/** A query of a warehouse's own rows, from whose answer a verb concludes. */
interface PrintedQuery {
  readonly sql: string;
  /** What its answer is, where that is no sums, or of which rows they are to be. */
  readonly note?: string | undefined;
}

/**
 * The query that sums rows for a conclusion, or, where that needs all rows, draws whole clusters of them.
 *
 * @throws InputError for a conclusion that has neither.
 */
async function printedQuery(
  name: string,
  {
    dialect,
    from,
    share,
  }: { readonly dialect: DialectName; readonly from: string; readonly share: number | undefined },
): Promise<PrintedQuery> {
  const known = conclusions.map((one) => one.name);
  const loaded = known.includes(name) ? (await conclusionNamed(name).load()).default : undefined;
  const by = loaded?.sampledBy;
  if (loaded?.sums !== undefined && (by === undefined || share === undefined)) {
    const sums = await loaded.sums();
    const note = from.trim().startsWith("(") ? undefined : sums.note?.(dialects[dialect]);
    return { sql: sumsQuery(sums, from, dialects[dialect]), note };
  }
  if (by !== undefined && share !== undefined) {
    return {
      sql: sampleQuery({ by, share }, from, dialects[dialect]),
      note:
        `${name} needs all rows. This query draws about ${100 * share} % of the clusters (${by}), whole ones: ` +
        "its figures are estimates of those of all rows, with intervals that hold. " +
        `Rows that name no ${by} are not drawn: the figures are of the others.`,
    };
  }
  const able = await Promise.all(
    conclusions.map(async (one) => {
      const { sums, sampledBy } = (await one.load()).default;
      return (sums ?? sampledBy) ? [one.name] : [];
    }),
  );
  const names = able.flat();
  const meant = nearest(name, names);
  throw new InputError(`Expected one of ${listText(names)} for --print but received "${name}"`, {
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  });
}
