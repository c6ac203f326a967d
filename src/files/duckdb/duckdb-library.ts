import { createRequire } from "node:module";
import { InputError, isMissingPackage } from "../../core/errors.js";
import type { Json } from "../../core/json.js";

/** The little of @duckdb/node-api that is used here. */
export interface DuckDbLibrary {
  readonly DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbInstance>;
  };
}

export interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>;
  closeSync(): void;
}

export interface DuckDbConnection {
  run(sql: string): Promise<DuckDbResult>;
  stream(sql: string): Promise<DuckDbResult>;
  extractStatements(sql: string): Promise<{
    readonly count: number;
    prepare(index: number): Promise<{ readonly statementType: number; destroySync(): void }>;
  }>;
  interrupt(): void;
  closeSync(): void;
}

export interface DuckDbResult {
  deduplicatedColumnNames(): string[];
  columnTypes(): { toString(): string }[];
  yieldRowsJson(): AsyncIterable<Json[][]>;
}

/** A statement that only reads. */
export const selectStatement = 1;

const packageName = "@duckdb/node-api";
const packageVersion = "1.5.6-r.1";

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
export async function importDuckDb(): Promise<DuckDbLibrary> {
  // The name is a variable so that types and builds do without the package.
  const library: unknown = await import(packageName).catch((cause: unknown) => {
    throw isMissingPackage(cause, packageName) ? notInstalled(cause) : cause;
  });
  // Its version is pinned in package.json, as an optional peer.
  return library as DuckDbLibrary;
}

const notInstalled = (cause: unknown) =>
  new InputError(`query needs the package ${packageName}`, {
    hint:
      "DuckDB answers the SQL and is not installed with touchstone, since it takes some 70 MB: " +
      `npm install ${packageName}@${packageVersion} (in a clone of this repository also ` +
      "--no-save --save-dev)",
    cause,
  });
