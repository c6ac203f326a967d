import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { InputError } from "../core/errors.js";
import type { NewRun } from "../core/recipe.js";
import type { DocumentStore, RecordStore } from "../core/record-store.js";
import {
  isPostgres,
  placeWithin,
  postgresPlace,
  schemeOf,
  shownPlace,
} from "./postgres/address.js";
import { DocumentFolder, findRunFolders, isRunFolder } from "./run-folder/recipe-file.js";
import { RunFolder } from "./run-folder/run-folder.js";
import { WorkFolder } from "./run-folder/run-work.js";
import type { SharedLog } from "./shared-log.js";

export interface OpenOptions {
  /** Makes the run where there is none, with the first `startWriting`; goes on with it where it stands. */
  readonly create?: NewRun;
  /** Lets finished records be gone, which can be collected anew; by default where the run may be made. */
  readonly mayLack?: boolean;
  /** Opens a run whatever was changed in it since it was sealed, for who lists what is wrong. */
  readonly anyhow?: boolean;
}

/**
 * Opens the run in a folder, such as `runs/demo`. Nothing is written.
 *
 * @throws InputError where there is no run, `create` contradicts the one that stands, or something
 *   was changed since it was sealed.
 * @example const run = await openStore("runs/demo");
 */
export async function openStore(place: string, options: OpenOptions = {}): Promise<RecordStore> {
  refuseAddress(place);
  return RunFolder.open({ directory: place, ...options });
}

/** Whether a run stands in a folder. @throws InputError for an address where version 0.2 kept runs */
export async function hasStore(place: string): Promise<boolean> {
  if (isPostgres(place)) refuseAddress(place);
  return schemeOf(place) === undefined && isRunFolder(place);
}

/**
 * Whether a run of version 0.2 may still stand at an address: it does, or its database can't be asked.
 * This version can't change it, so whatever it holds has to be removed there.
 */
export async function mayHoldEndedRun(place: string): Promise<boolean> {
  if (!isPostgres(place)) return false;
  return hasEndedRun(place).catch(() => true);
}

/** Frees the run in a folder from processes of other machines, for whoever knows that they are gone. */
export const takeOverRun = (place: string): Promise<void> =>
  new WorkFolder(join(place, "work")).takeOver();

/** Opens what is kept beside the run, or the runs, of a folder: reports and tables. */
export function openDocuments(place: string): DocumentStore {
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

/** The runs of a folder such as `runs`, and below it, by name. */
export async function storesIn(place: string): Promise<readonly FoundStore[]> {
  refuseAddress(place);
  const root = resolve(place);
  return (await findRunFolders(root))
    .map((found) => ({ name: relative(root, found).split(sep).join("/"), place: found }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** From where a run or a study is named. */
export interface NamedFrom {
  readonly workingDirectory: string;
}

/** The folder of a run by the name that people type; an address stays one, for who opens it to refuse. */
export const runPlace = (name: string, { workingDirectory }: NamedFrom): string =>
  schemeOf(name) === undefined ? resolve(workingDirectory, name) : name;

/** A path as a person would type it where they are. */
export function shownPath(path: string, { workingDirectory }: NamedFrom): string {
  if (schemeOf(path) !== undefined) return path;
  const short = relative(workingDirectory, path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}

/**
 * The place of a study by the name that people type: a path, an address, or a name in a store.
 *
 * @param from.store the address of a database in which studies are named
 */
export const studyPlace = (
  name: string,
  { store, ...from }: NamedFrom & { readonly store?: string | undefined },
): string =>
  store === undefined || schemeOf(name) !== undefined
    ? runPlace(name, from)
    : placeWithin(store, name);

/** @throws InputError for an address, without the password that it may hold */
export function refuseAddress(place: string): void {
  const scheme = schemeOf(place);
  if (scheme === undefined) return;
  const shown = isPostgres(place) ? shownPlace(place) : `an address (${scheme}://…)`;
  throw new InputError(`Expected the folder of a run but received ${shown}`, {
    hint: isPostgres(place)
      ? `Runs in databases ended with 0.2. Copy it into a folder with version 0.2.0: run copy ${shown} DIR`
      : "Runs live in folders, such as runs/demo.",
  });
}

/** Whether a run of version 0.2 stands at an address. No later version reads or changes it. */
async function hasEndedRun(place: string): Promise<boolean> {
  const { databaseAt } = await import("./postgres/database.js");
  const { connection, name } = postgresPlace(place);
  const database = databaseAt(connection);
  const [runs] = await database.rows<{ there: boolean }>(
    "select to_regclass('touchstone.runs') is not null as there",
  );
  if (runs?.there !== true) return false;
  const found = await database.rows("select id from touchstone.runs where name = $1", [name]);
  return found.length > 0;
}
