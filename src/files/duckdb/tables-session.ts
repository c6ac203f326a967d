import { createRequire } from "node:module";
import { InputError, isMissingPackage } from "../../core/errors.js";
import type { Json } from "../../core/json.js";

/** A statement that only reads. */
const selectStatement = 1;

const packageName = "@duckdb/node-api";

const packageVersion = "1.5.6-r.1";

const notInstalled = (cause: unknown) =>
  new InputError(`query needs the package ${packageName}`, {
    hint:
      "DuckDB answers the SQL and is not installed with touchstone, since it takes some 70 MB: " +
      `npm install ${packageName}@${packageVersion} (in a clone of this repository also ` +
      "--no-save --save-dev)",
    cause,
  });

/** A table that may be asked: what selects it, and the files that are read for it. */
export interface SqlTable {
  readonly name: string;
  readonly select: string;
  readonly files: readonly string[];
}

export interface SqlColumn {
  readonly name: string;
  /** As DuckDB calls it, such as VARCHAR or DOUBLE. */
  readonly type: string;
}

/** Answer to a query: its columns, and its rows as they come. */
export interface SqlAnswer {
  readonly columns: readonly SqlColumn[];
  rows(): AsyncGenerator<readonly Json[]>;
}

export interface SessionOptions {
  readonly tables: readonly SqlTable[];
  /** A folder for what does not fit into memory, and for what is written. */
  readonly folder: string;
  /** Such as "4GB". */
  readonly memory: string;
}

/**
 * DuckDB over some files and nothing else: only statements that read are run, no other file, address or
 * extension can be reached, and no setting can be changed.
 */
export class TablesSession {
  readonly #instance: DuckDbInstance;
  readonly #connection: DuckDbConnection;

  private constructor(instance: DuckDbInstance, connection: DuckDbConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  /** @throws InputError where DuckDB is not installed or a file is not what its ending says. */
  static async open({ tables, folder, memory }: SessionOptions): Promise<TablesSession> {
    const { DuckDBInstance } = await importDuckDb();
    const instance = await DuckDBInstance.create(":memory:", {
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      memory_limit: memory,
      temp_directory: folder,
    });
    const connection = await instance.connect();
    const session = new TablesSession(instance, connection);
    try {
      const files = tables.flatMap((table) => table.files);
      await connection.run(`SET allowed_paths = ${sqlTexts(files)}`);
      await connection.run(`SET allowed_directories = ${sqlTexts([folder])}`);
      for (const { name, select } of tables) {
        await session.#asked(() => connection.run(`CREATE VIEW ${sqlName(name)} AS ${select}`));
      }
      await connection.run("SET enable_external_access = false");
      await connection.run("SET lock_configuration = true");
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  /** @throws InputError for what is no single statement that reads, and what DuckDB says of it. */
  async ask(sql: string): Promise<SqlAnswer> {
    await this.#checkReads(sql);
    const result = await this.#asked(() => this.#connection.stream(sql));
    const types = result.columnTypes().map(String);
    const columns = result
      .deduplicatedColumnNames()
      .map((name, at) => ({ name, type: types[at] ?? "" }));
    return { columns, rows: () => this.#rowsOf(result, types) };
  }

  /** Writes what a query gives into a file of the session's folder. @throws as `ask` */
  async write(sql: string, path: string, format: "json" | "parquet"): Promise<void> {
    await this.#checkReads(sql);
    const query = sql.trim().replace(/;$/, "");
    await this.#asked(() =>
      this.#connection.run(`COPY (${query}\n) TO ${sqlText(path)} (FORMAT ${format})`),
    );
  }

  /** Stops what is asked. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #checkReads(sql: string): Promise<void> {
    const isRead = await this.#asked(async () => {
      if (sql.trim() === "") return false;
      const statements = await this.#connection.extractStatements(sql);
      if (statements.count !== 1) return false;
      const statement = await statements.prepare(0);
      const type = statement.statementType;
      statement.destroySync();
      return type === selectStatement;
    });
    if (!isRead) {
      throw new InputError("Expected one SELECT but received another statement, or several", {
        hint: "A query only reads: SELECT, FROM, WITH, SUMMARIZE and DESCRIBE work",
      });
    }
  }

  async *#rowsOf(result: DuckDbResult, types: readonly string[]): AsyncGenerator<readonly Json[]> {
    const chunks = result.yieldRowsJson()[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await this.#asked(() => chunks.next());
      if (done === true) return;
      for (const row of value) yield row.map((cell, at) => plain(cell, types[at] ?? ""));
    }
  }

  async #asked<Result>(ask: () => Promise<Result>): Promise<Result> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const lines = error.message.replace("Failed to extract statements: ", "").split("\n");
      const meant = lines.find((line) => line.startsWith("Did you mean"));
      const end = lines.findIndex((line) => /^(LINE \d|Did you mean)/.test(line));
      const said = lines
        .slice(0, end < 0 ? mostLines : end)
        .join(" ")
        .replace(/\s+/g, " ")
        .trim();
      throw new InputError(`DuckDB says: ${said}`, {
        ...(meant === undefined ? {} : { hint: meant }),
        cause: error,
      });
    }
  }
}

const mostLines = 5;

/** Whole and decimal numbers of many digits come as text: they are numbers where that is exact. */
function plain(cell: Json, type: string): Json {
  const inner = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (inner !== undefined && Array.isArray(cell)) return cell.map((one) => plain(one, inner));
  if (typeof cell !== "string" || !/^(U?BIGINT|U?HUGEINT|DECIMAL)/.test(type)) return cell;
  const number = Number(cell);
  return cell.replace(/\D/g, "").length <= 15 ? number : cell;
}

/** A text as SQL writes it. @example sqlText("it's") // "'it''s'" */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A list of texts as DuckDB writes it. */
export const sqlTexts = (texts: readonly string[]): string => `[${texts.map(sqlText).join(", ")}]`;

/** A name of a table or column as SQL writes it. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The little of @duckdb/node-api that is used here. */
interface DuckDbLibrary {
  readonly DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbInstance>;
  };
}

interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>;
  closeSync(): void;
}

interface DuckDbConnection {
  run(sql: string): Promise<DuckDbResult>;
  stream(sql: string): Promise<DuckDbResult>;
  extractStatements(sql: string): Promise<{
    readonly count: number;
    prepare(index: number): Promise<{ readonly statementType: number; destroySync(): void }>;
  }>;
  interrupt(): void;
  closeSync(): void;
}

interface DuckDbResult {
  deduplicatedColumnNames(): string[];
  columnTypes(): { toString(): string }[];
  yieldRowsJson(): AsyncIterable<Json[][]>;
}

/** Whether the optional peer is installed. */
export function hasDuckDb(): boolean {
  try {
    return createRequire(import.meta.url).resolve(packageName) !== "";
  } catch {
    return false;
  }
}

/**
 * Imports the optional peer.
 *
 * @throws InputError that says what to install and why, where it is not installed.
 */
async function importDuckDb(): Promise<DuckDbLibrary> {
  // The name is a variable so that types and builds do without the package.
  const library: unknown = await import(packageName).catch((cause: unknown) => {
    throw isMissingPackage(cause, packageName) ? notInstalled(cause) : cause;
  });
  // Its version is pinned in package.json, as an optional peer.
  return library as DuckDbLibrary;
}
