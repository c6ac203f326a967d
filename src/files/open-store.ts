import { relative, resolve, sep } from "node:path";
import { InputError } from "../core/errors.js";
import type { NewRun } from "../core/recipe.js";
import type { DocumentStore, RecordStore } from "../core/record-store.js";
import { DocumentFolder } from "./run-folder/documents.js";
import { findRunFolders } from "./run-folder/find-run-folders.js";
import { isRunFolder } from "./run-folder/recipe-file.js";
import { RunFolder } from "./run-folder/run-folder.js";

export interface OpenOptions {
  /** Makes the run where there is none, with the first `startWriting`; goes on with it where it stands. */
  readonly create?: NewRun;
  /** Lets finished records be gone, which can be collected anew; by default where `create` is given. */
  readonly mayLack?: boolean;
  /** Opens a run whatever was changed in it since it was sealed, for who lists what is wrong. */
  readonly anyhow?: boolean;
}

/**
 * Opens the run at a place, such as `runs/demo`. Nothing is written.
 *
 * @throws InputError where there is no run, `create` contradicts the one that stands, or something
 *   was changed since it was sealed.
 * @example const run = await openStore("runs/demo");
 */
export async function openStore(place: string, options: OpenOptions = {}): Promise<RecordStore> {
  refuseAddress(place);
  return RunFolder.open({ directory: place, ...options });
}

/** Whether a run stands at a place. */
export async function hasStore(place: string): Promise<boolean> {
  return schemeOf(place) === undefined && isRunFolder(place);
}

/** What is kept beside the run, or the runs, of a place: reports and tables. */
export function openDocuments(place: string): DocumentStore {
  refuseAddress(place);
  return new DocumentFolder(place);
}

/** A run among others. */
export interface FoundStore {
  /** From where it was looked for, with "/" between parts; "" for that place itself. */
  readonly name: string;
  readonly place: string;
}

/** The runs of a place such as `runs`, and below it, by name. */
export async function storesIn(place: string): Promise<readonly FoundStore[]> {
  refuseAddress(place);
  const root = resolve(place);
  return (await findRunFolders(root))
    .map((found) => ({ name: relative(root, found).split(sep).join("/"), place: found }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The place of a run by the name that people type: a path from `workingDirectory`, or an address. */
export const storePlace = (name: string, workingDirectory: string): string =>
  schemeOf(name) === undefined ? resolve(workingDirectory, name) : name;

/** The place of a run that lies within another place: a run among runs, a chapter of a demo. */
export const placeIn = (place: string, name: string): string => resolve(place, name);

const schemeOf = (place: string): string | undefined =>
  /^([a-z][a-z0-9+.-]*):\/\//i.exec(place)?.[1];

/** An address may hold a password, so only its beginning is shown. */
function refuseAddress(place: string): void {
  const scheme = schemeOf(place);
  if (scheme === undefined) return;
  throw new InputError(`Expected the folder of a run but received an address (${scheme}://…)`, {
    hint: "Runs live in folders so far: name one, such as runs/demo.",
  });
}
