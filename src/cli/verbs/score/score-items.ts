import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { Json } from "../../../core/json.js";
import { listText } from "../../../core/phrases.js";
import { type TextPlace, textPlaces } from "../../../files/folder-texts/folder-texts.js";
import {
  imagesBelow,
  metadataNames,
  openImageFolder,
  refuseTexts,
  splitsOf,
} from "../../../files/image-folder.js";
import { readTable, type TableSource } from "../../../files/read-table.js";
import { kindAt } from "../../../files/regular-file.js";
import { setOwn } from "../../../tables/blank-row.js";
import { cellJson } from "../../../tables/cell-json.js";
import { type ColumnKind, text } from "../../../tables/columns.js";
import { structure } from "../../../tables/structure-column.js";
import { pluralText } from "../../../views/number-text.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import { guessedColumns, guessNotes } from "./item-columns.js";
import { ItemList } from "./item-list.js";
import type { ScoreItem } from "./score-item.js";
import { unpackedItems } from "./unpacked-items.js";

export interface ScoreItems {
  readonly items: ItemList;
  /** Notes for the user, though nothing is wrong. */
  readonly notes: readonly string[];
  /** Whether the images stood within files, and are files only until they are scored. */
  readonly isUnpacked: boolean;
  /** Removes what was unpacked of them, and the list, once they are scored. */
  remove(): Promise<void>;
}

/**
 * Reads what to score: the rows of a table (a file, or "-" for standard input), or of the table
 * in a folder of images or in its splits (train, test), or images within files. An image's path is relative to its table.
 *
 * @throws InputError where the table is not sound.
 */
export async function readItems(source: string, how: Reading): Promise<ScoreItems> {
  const unpacked = await unpackedItems(source, {
    workingDirectory: how.environment.workingDirectory,
    ...how,
  });
  const items = unpacked?.items ?? new ItemList();
  const remove = () => (unpacked ?? items).remove();
  try {
    if (unpacked !== undefined) refuseTexts(how.texts, source);
    const notes = unpacked?.notes ?? (await itemsIn(source, { ...how, items }));
    const all = [...notes, ...items.alikeNotes()];
    return { items, notes: all, isUnpacked: unpacked !== undefined, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Says where rows repeat the image and text of an earlier one; and where only a few images have several texts, since
 * most tables then mean one row for each.
 */
export async function repeatedNote(items: ItemList): Promise<string[]> {
  const { rows, row, images, severalTimes, severalRow } = items.repeats();
  if (rows > 0) {
    const verb = rows === 1 ? "repeats" : "repeat";
    const { image } = await items.at(row);
    return [
      `${pluralText(rows, "row")} ${verb} the image and text of an earlier one, such as ${image}; ` +
        "each row is scored",
    ];
  }
  if (severalTimes === 0 || severalTimes > images / 2) return [];
  const stand = severalTimes === 1 ? "image stands" : "images stand";
  const { image } = await items.at(severalRow);
  return [
    `${severalTimes} ${stand} in several rows with different texts, such as ${image}; each row is scored`,
  ];
}

interface Reading {
  readonly environment: Environment;
  readonly map: Readonly<Record<string, string>>;
  /** Whether images may lie outside the table's folder. */
  readonly allowOutside: boolean;
  /** Whether rows without image or text are items with a problem. */
  readonly skipBad: boolean;
  /** Where a folder's texts are. */
  readonly texts?: TextPlace | undefined;
}

/** Adds the items of a source to the list. @returns notes */
async function itemsIn(
  source: string,
  { environment, texts, ...how }: Reading & { readonly items: ItemList },
): Promise<Iterable<string>> {
  const { workingDirectory, stdin } = environment;
  if (source === "-") {
    refuseTexts(texts, "standard input");
    await addRows(
      { name: "standard input", bytes: stdin },
      { directory: workingDirectory, ...how },
    );
    return [];
  }
  const path = resolve(workingDirectory, source);
  const isFolder = (await kindAt(path)) === "folder";
  if (!isFolder) {
    refuseTexts(texts, source);
    const isMetadata = metadataNames.some((name) => name === basename(path));
    const usual = isMetadata ? folderColumns : {};
    const table = { name: source, path };
    const guessed = await guessedColumns(table, how.map, usual);
    const map = { ...usual, ...how.map, ...guessed };
    await addRows(table, { ...how, directory: dirname(path), map });
    return guessNotes(guessed);
  }
  const splits = texts === undefined ? await splitsOf(path) : [];
  if (splits.length === 0) return addFolder(source, { path, texts, ...how });
  const notes = new Set<string>();
  for (const split of splits) {
    const inside = { ...how, path: join(path, split), split };
    for (const note of await addFolder(join(source, split), inside)) notes.add(note);
  }
  const inSplits = new Set(splits);
  const elsewhere = (await imagesBelow(path)).filter((image) => {
    return !inSplits.has(image.split("/")[0] ?? "");
  });
  if (elsewhere.length > 0) {
    notes.add(
      `Scoring the images of ${listText(splits)}, which have a table; ${pluralText(elsewhere.length, "image")} ` +
        `outside, such as ${elsewhere[0]}, ${elsewhere.length === 1 ? "has" : "have"} none`,
    );
  }
  return notes;
}

/** Adds the images of one folder, as its table names them, or with texts from elsewhere. @returns notes */
async function addFolder(
  source: string,
  {
    path,
    texts: place,
    ...how
  }: Omit<Adding, "directory"> & {
    readonly path: string;
    readonly texts?: TextPlace | undefined;
  },
): Promise<string[]> {
  const { map, items } = how;
  const request = { place, textColumn: map.text, skipMissing: how.skipBad };
  const folder = await openImageFolder(path, request).catch(async (error: unknown) => {
    throw (place === undefined ? await otherTable(source, path) : undefined) ?? error;
  });
  if (folder.note !== undefined) {
    const columns = place === "order" ? folderColumns : { ...folderColumns, ...map };
    await addRows(folder.table(), { ...how, directory: path, map: columns });
    const otherwise = place === undefined ? `. Elsewhere: --texts ${textPlaces.join("|")}` : "";
    return [`${folder.note}${otherwise}`];
  }
  const table = { name: folder.metadata, path: folder.metadata };
  const guessed = await guessedColumns(table, map, folderColumns);
  await addRows(table, { ...how, directory: path, map: { ...folderColumns, ...map, ...guessed } });
  const unlisted = folder.images.filter((image) => !items.hasImage(join(path, image)));
  return [
    ...guessNotes(guessed),
    ...(unlisted.length === 0
      ? []
      : [
          `${unlisted.length} of the folder's images ${unlisted.length === 1 ? "is" : "are"} not ` +
            `in ${basename(folder.metadata)}, such as ${unlisted[0]}`,
        ]),
  ];
}

/** ImageFolder's name for the image. */
const folderColumns = { image: "file_name" };

/** Text, or none in a cell that is empty or, of JSONL, not there. */
const textOrNone: ColumnKind<string> = {
  isRequired: true,
  read(cell, about) {
    const isEmpty = String(cell ?? "").trim() === "";
    return isEmpty ? { value: "" } : text.read(cell, about);
  },
};

interface Adding extends Pick<Reading, "map" | "allowOutside" | "skipBad"> {
  readonly items: ItemList;
  readonly directory: string;
  /** The part of a data set that they are from. */
  readonly split?: string;
}

/** Adds the rows of a table to the list. */
async function addRows(
  source: TableSource,
  { items, directory, split, map, allowOutside, skipBad }: Adding,
): Promise<void> {
  const kind = skipBad ? textOrNone : text;
  const own = new Set([map.image ?? "image", map.text ?? "text"]);
  // Many rows may name one image.
  const paths = new Map<string, string>();
  for await (const { line, row, all } of readTable({
    source,
    columns: { image: kind, text: kind, entities: structure },
    map,
  })) {
    const { entities, image, text } = row;
    const known = paths.get(image);
    const path = known ?? resolve(directory, image);
    if (known === undefined && paths.size < mostPaths) paths.set(image, path);
    const others: Record<string, Json> = split === undefined ? {} : { split };
    for (const [name, value] of Object.entries(all)) {
      if (!own.has(name)) setOwn(others, name, cellJson(value));
    }
    const item: Changing<ScoreItem> = { image, text, path, place: `line ${line}`, others };
    if (entities !== undefined) item.structure = entities;
    if (!allowOutside) item.folder = directory;
    const missing = [
      ...(image.trim() === "" ? ["image"] : []),
      ...(text.trim() === "" ? ["text"] : []),
    ];
    if (missing.length > 0) {
      item.problem = `Expected text for ${missing.join(" and ")} but received nothing`;
    }
    await items.add(item);
  }
}

const mostPaths = 10_000;
type Changing<Of> = { -readonly [Member in keyof Of]: Of[Member] };

/** For a folder without metadata that has one other table: an error that names what reads it. */
async function otherTable(source: string, path: string): Promise<InputError | undefined> {
  const names: string[] = await readdir(path).catch(() => []);
  const tables = names.filter((name) => /\.(csv|tsv|jsonl|parquet)$/i.test(name));
  const [name] = tables;
  const hasMetadata = metadataNames.some((one) => names.includes(one));
  if (name === undefined || tables.length > 1 || hasMetadata) return undefined;
  const table = join(source, name);
  const guessed = await guessedColumns({ name: table, path: join(path, name) }, {});
  const columns = await columnNames({ name: table, path: join(path, name) });
  if (guessed.image === undefined && !columns.includes("image")) {
    return new InputError(`Expected ${metadataNames.join(" or ")} in ${source} but found ${name}`, {
      hint:
        `It has no column for the image. To pair its rows with the images by their numbers: ` +
        shellWords(["touchstone", "score", source, "--texts", "order"]),
    });
  }
  const maps = Object.entries(guessed).flatMap(([to, column]) => ["--map", `${to}=${column}`]);
  return new InputError(`Expected ${metadataNames.join(" or ")} in ${source} but found ${name}`, {
    hint: `To read it: ${shellWords(["touchstone", "score", table, ...maps])}`,
  });
}

/** The columns of a table by its first row; none where it can't be read. */
async function columnNames(source: { readonly name: string; readonly path: string }) {
  try {
    for await (const { all } of readTable({ source, columns: {} })) return Object.keys(all);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return [];
}
