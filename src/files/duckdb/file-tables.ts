import { basename, dirname, extname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { RecordType } from "../../core/records.js";
import { filesBelow } from "../files-below.js";
import type { ExportedRun } from "../record-tables/exported-run.js";
import {
  memberOf,
  type RecordColumnKind,
  recordColumns,
  recordTables,
} from "../record-tables/record-columns.js";
import { type SqlTable, sqlName, sqlText, sqlTexts } from "./tables-session.js";

const readers: Readonly<Record<string, (files: string) => string>> = {
  ".parquet": (files) => `read_parquet(${files})`,
  ".csv": (files) => `read_csv(${files})`,
  ".tsv": (files) => `read_csv(${files})`,
  ".jsonl": (files) => `read_json(${files}, format = 'newline_delimited')`,
  ".ndjson": (files) => `read_json(${files}, format = 'newline_delimited')`,
  ".json": (files) => `read_json(${files})`,
};

/**
 * Files of one kind as one table; of several files the column `filename` says where a row stands.
 *
 * @param word what was given: a path or a pattern, after which the table is called
 * @throws InputError for files of several kinds, and of one that is not known
 * @example fileTable("scores/*.parquet", ["/data/scores/a.parquet"]) // the table scores
 */
export function fileTable(word: string, files: readonly string[]): SqlTable {
  const endings = new Set(files.map((file) => extname(file).toLowerCase()));
  const [ending = ""] = endings;
  const reader = readers[ending];
  if (endings.size > 1 || reader === undefined) {
    throw new InputError(
      `Expected files of one kind (${Object.keys(readers).join(", ")}) for a table but received ${word}`,
      { hint: "Runs and folders of run export are given by their folders" },
    );
  }
  const columns = files.length === 1 ? "*" : "*, filename";
  return { name: nameOf(word), select: `SELECT ${columns} FROM ${reader(sqlTexts(files))}`, files };
}

/** The file's name without its ending; of a pattern what is left of it, or its folder's name. */
function nameOf(word: string): string {
  const stem = basename(word, extname(word));
  const name = [stem, ...dirname(word).split(/[\\/]/).reverse()]
    .map((part) => part.replace(/[*?[\]!]/g, "").replace(/^[-_. ]+|[-_. ]+$/g, ""))
    .find((part) => part !== "");
  const plain = (name ?? "data").replace(/[^\p{L}\p{N}_]+/gu, "_");
  return /^\d/.test(plain) ? `t_${plain}` : plain;
}

const partition = /^step=(.+)$/;

/** The tables of a folder that `run export` wrote, each with the column `run`. */
export async function exportedTables(
  folder: string,
  { run, tables }: Pick<ExportedRun, "run" | "tables">,
): Promise<SqlTable[]> {
  const found = Object.entries(tables).map(async ([name, { columns }]) => {
    const files = await filesBelow(join(folder, name), [".parquet"]);
    const steps = new Map<string, string[]>();
    for (const { name: file, path } of files) {
      const step = partition.exec(file.split("/")[0] ?? "")?.[1];
      if (step !== undefined) steps.set(step, [...(steps.get(step) ?? []), path]);
    }
    const named = columns.filter((column) => column !== "step").map(sqlName);
    const parts = [...steps].map(
      ([step, paths]) =>
        `SELECT ${sqlText(run)} AS run, ${sqlText(step)} AS step, ${named.join(", ")} ` +
        `FROM read_parquet(${sqlTexts(paths)}, hive_partitioning = false)`,
    );
    return { name, select: parts.join(" UNION ALL "), files: files.map(({ path }) => path) };
  });
  return Promise.all(found);
}

const columnTypes: Readonly<Record<RecordColumnKind, string>> = {
  text: "VARCHAR",
  integer: "BIGINT",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  json: "JSON",
};

/** The model that made a score's image to show the text, by the rule of `run export`, from the table of images. */
const inputModel =
  "CASE WHEN made.role IN ('correct', 'control-correct') OR (made.role = 'description' AND made.text = lines.text) " +
  "THEN made.model END AS input_model";

/**
 * A finished step's records where they lie, as the table that `run export` would write of them.
 *
 * @param options.hasImages whether there is a table of images, with those that scores are of
 */
export function linesTable(
  file: string,
  {
    run,
    step,
    type,
    hasImages,
  }: {
    readonly run: string;
    readonly step: string;
    readonly type: RecordType;
    readonly hasImages: boolean;
  },
): SqlTable {
  const columns = recordColumns(type);
  const read = [
    ...columns.map(({ name, kind }) => [memberOf(name), columnTypes[kind]]),
    ["type", "VARCHAR"],
  ];
  const types = read.map(([name = "", kind = ""]) => `${sqlName(name)}: ${sqlText(kind)}`);
  const named = columns.map(({ name, kind }) => {
    const member = sqlName(memberOf(name));
    const cell = kind === "json" ? `nullif(CAST(${member} AS VARCHAR), 'null')` : member;
    return `${cell} AS ${sqlName(name)}`;
  });
  const lines =
    `SELECT ${sqlText(run)} AS run, ${sqlText(step)} AS step, ${named.join(", ")} ` +
    `FROM read_json(${sqlText(file)}, format = 'newline_delimited', columns = {${types.join(", ")}}) ` +
    `WHERE "type" = ${sqlText(type)}`;
  const select =
    type !== "score"
      ? lines
      : hasImages
        ? `SELECT lines.*, ${inputModel} FROM (${lines}) lines LEFT JOIN images made ON made.run = lines.run AND made.key = lines."of"`
        : `SELECT *, CAST(NULL AS VARCHAR) AS input_model FROM (${lines})`;
  return { name: recordTables[type], select, files: [file] };
}

const shared = ["run", "step", "key", "attempt", "status", "reason", "retryable", "detail"];

/** Tables with one name as one, that of images first, and `records`: what records of all kinds have. */
export function withRecords(tables: readonly SqlTable[]): SqlTable[] {
  const joined = new Map<string, SqlTable>();
  for (const table of tables) {
    const known = joined.get(table.name);
    joined.set(
      table.name,
      known === undefined
        ? table
        : {
            ...table,
            select: `${known.select} UNION ALL ${table.select}`,
            files: [...known.files, ...table.files],
          },
    );
  }
  if (joined.size === 0) return [];
  const isFirst = ({ name }: SqlTable) => name === recordTables.image;
  const all = [...joined.keys()].map(
    (name) => `SELECT ${sqlText(name)} AS "table", ${shared.join(", ")} FROM ${sqlName(name)}`,
  );
  const ordered = [...joined.values()].sort(
    (one, other) => Number(isFirst(other)) - Number(isFirst(one)),
  );
  return [...ordered, { name: "records", select: all.join(" UNION ALL "), files: [] }];
}
