import { relative, resolve, sep } from "node:path";
import { InputError } from "../core/errors.js";
import type { NewRun, Recipe } from "../core/recipe.js";
import type { DocumentStore, RecordStore } from "../core/record-store.js";
import { isPostgres, placeWithin, postgresPlace, withoutPassword } from "./postgres/address.js";
import { PostgresDocuments } from "./postgres/kept.js";
import { DocumentFolder } from "./run-folder/documents.js";
import { findRunFolders } from "./run-folder/find-run-folders.js";
import { isRunFolder } from "./run-folder/recipe-file.js";
import { RunFolder } from "./run-folder/run-folder.js";
import type { SharedLog } from "./shared-log.js";

export interface OpenOptions {
  /** Makes the run where there is none, with the first `startWriting`; goes on with it where it stands. */
  readonly create?: NewRun;
  /**
   * Makes the run with this whole recipe where there is none, to be filled with the records of the run
   * that has it; goes on with such a copy where one stands.
   */
  readonly copyOf?: Recipe;
  /** Lets finished records be gone, which can be collected anew; by default where the run may be made. */
  readonly mayLack?: boolean;
  /** Opens a run whatever was changed in it since it was sealed, for who lists what is wrong. */
  readonly anyhow?: boolean;
}

/**
 * Opens the run at a place: a folder, such as `runs/demo`, or a name in a database, such as
 * `postgres://reader@db/touchstone/demo`. Nothing is written.
 *
 * @throws InputError where there is no run, `create` contradicts the one that stands, or something
 *   was changed since it was sealed.
 * @example const run = await openStore("runs/demo");
 */
export async function openStore(place: string, options: OpenOptions = {}): Promise<RecordStore> {
  if (isPostgres(place)) {
    const { PostgresRun } = await import("./postgres/postgres-run.js");
    return PostgresRun.open(place, options);
  }
  refuseAddress(place);
  return RunFolder.open({ directory: place, ...options });
}

/** Whether a run stands at a place. */
export async function hasStore(place: string): Promise<boolean> {
  if (isPostgres(place)) {
    const { hasPostgresRun } = await import("./postgres/find-postgres-runs.js");
    return hasPostgresRun(place);
  }
  return schemeOf(place) === undefined && isRunFolder(place);
}

/** Opens what is kept beside the run, or the runs, of a place: reports and tables. */
export function openDocuments(place: string): DocumentStore {
  if (isPostgres(place)) return new PostgresDocuments(place);
  refuseAddress(place);
  return new DocumentFolder(place);
}

/** A log in a database that several processes append to, such as a study. Nothing is written. */
export async function openLog(place: string): Promise<SharedLog> {
  const { PostgresLog } = await import("./postgres/postgres-log.js");
  return new PostgresLog(place);
}

/** Whether what lives at a place is shared: a database, not a folder. */
export const isShared = (place: string): boolean => isPostgres(place);

/** A run among others. */
export interface FoundStore {
  /** From where it was looked for, with "/" between parts; "" for that place itself. */
  readonly name: string;
  readonly place: string;
}

/** The runs of a place such as `runs`, and below it, by name. */
export async function storesIn(place: string): Promise<readonly FoundStore[]> {
  if (isPostgres(place)) {
    const { postgresRunsIn } = await import("./postgres/find-postgres-runs.js");
    return postgresRunsIn(place);
  }
  refuseAddress(place);
  const root = resolve(place);
  return (await findRunFolders(root))
    .map((found) => ({ name: relative(root, found).split(sep).join("/"), place: found }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** From where a run is named: a folder, and the address of a store where runs live in one. */
export interface NamedFrom {
  readonly workingDirectory: string;
  readonly store?: string | undefined;
}

/** The place of a run by the name that people type: in the store, else a path, or an address. */
export function storePlace(name: string, { workingDirectory, store }: NamedFrom): string {
  if (schemeOf(name) !== undefined) return name;
  return store === undefined ? resolve(workingDirectory, name) : placeIn(store, name);
}

/** The place of a run that lies within another place: a run among runs, a chapter of a demo. */
export const placeIn = (place: string, name: string): string =>
  isPostgres(place) ? placeWithin(place, name) : resolve(place, name);

/** A place as it may be shown: an address without its password. */
export const shownPlace = (place: string): string => {
  if (isPostgres(place)) return postgresPlace(place).shown;
  return schemeOf(place) === undefined ? place : withoutPassword(place);
};

/** Where the images of new runs of a store lie, as the store's address says; undefined: in the database. */
export const blobsOf = (place: string): string | undefined =>
  isPostgres(place) ? postgresPlace(place).blobs : undefined;

const schemeOf = (place: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(place)?.[1];

/** An address may hold a password, so only its beginning is shown. */
function refuseAddress(place: string): void {
  const scheme = schemeOf(place);
  if (scheme === undefined) return;
  throw new InputError(`Expected the folder of a run but received an address (${scheme}://…)`, {
    hint: "Runs live in folders, such as runs/demo, or in PostgreSQL: postgres://user@host/database/demo",
  });
}
