import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { groupBy } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/phrases.js";
import { type TextPlace, textPlaces } from "../../../files/folder-texts/folder-texts.js";
import {
  imagesBelow,
  metadataNames,
  openImageFolder,
  refuseTexts,
  splitsOf,
  unlistedImages,
} from "../../../files/image-folder.js";
import { readTable } from "../../../files/read-table.js";
import type { TableSource } from "../../../files/table-source.js";
import { cellJson } from "../../../tables/cell-json.js";
import { type ColumnKind, text } from "../../../tables/columns.js";
import { alikeNames } from "../../../tables/no-data.js";
import { structure } from "../../../tables/structure-column.js";
import { pluralText } from "../../../views/number-text.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { Environment } from "../../environment.js";
import { guessedColumns, guessNotes } from "./guessed-columns.js";
import type { ScoreItem } from "./score-item.js";
import { unpackedItems } from "./unpacked-items.js";

export interface ScoreItems {
  readonly items: readonly ScoreItem[];
  /** Notes for the user, though nothing is wrong. */
  readonly notes: readonly string[];
  /** Removes what was unpacked of them, once they are scored. */
  remove?(): Promise<void>;
}

/**
 * Reads what to score: the rows of a table (a file, or "-" for standard input), or of the table
 * in a folder of images or in its splits (train, test), or images within files. An image's path is relative to its table.
 *
 * @throws InputError where the table is not sound.
 */
export async function readItems(source: string, how: Reading): Promise<ScoreItems> {
  const read = await itemsIn(source, how);
  const alike = (["image", "text"] as const).flatMap((column) => {
    const names = new Set(read.items.map((item) => item[column]));
    return alikeNames(column, [...names]) ?? [];
  });
  return { ...read, notes: [...read.notes, ...repeatedNote(read.items), ...alike] };
}

/**
 * Says where rows repeat the image and text of an earlier one; and where only a few images have several texts, since
 * most tables then mean one row for each.
 */
function repeatedNote(items: readonly ScoreItem[]): string[] {
  const images = [...groupBy(items, ({ path }) => path).values()];
  const several = images.filter(({ length }) => length > 1);
  const rows = several.flatMap((all) => all.slice(new Set(all.map(({ text }) => text)).size));
  const [row] = rows;
  if (row !== undefined) {
    const verb = rows.length === 1 ? "repeats" : "repeat";
    return [
      `${pluralText(rows.length, "row")} ${verb} the image and text of an earlier one, such as ${row.image}; ` +
        "each row is scored",
    ];
  }
  const [image] = several;
  if (image === undefined || several.length > images.length / 2) return [];
  const stand = several.length === 1 ? "image stands" : "images stand";
  return [
    `${several.length} ${stand} in several rows with different texts, such as ${image[0].image}; each row is scored`,
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

async function itemsIn(
  source: string,
  { environment, map, texts, ...how }: Reading,
): Promise<ScoreItems> {
  const { workingDirectory, stdin } = environment;
  if (source === "-") {
    refuseTexts(texts, "standard input");
    return {
      items: await itemsOf(
        { name: "standard input", bytes: stdin },
        { directory: workingDirectory, map, ...how },
      ),
      notes: [],
    };
  }
  const unpacked = await unpackedItems(source, { workingDirectory, map, ...how });
  if (unpacked !== undefined) {
    refuseTexts(texts, source);
    return unpacked;
  }
  const path = resolve(workingDirectory, source);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    refuseTexts(texts, source);
    const isMetadata = metadataNames.some((name) => name === basename(path));
    const usual = isMetadata ? folderColumns : {};
    const table = { name: source, path };
    const guessed = await guessedColumns(table, map, usual);
    return {
      items: await itemsOf(table, {
        directory: dirname(path),
        map: { ...usual, ...map, ...guessed },
        ...how,
      }),
      notes: guessNotes(guessed),
    };
  }
  const splits = texts === undefined ? await splitsOf(path) : [];
  if (splits.length === 0) return folderItems(source, { path, map, texts, ...how });
  const items: ScoreItem[] = [];
  const notes = new Set<string>();
  for (const split of splits) {
    const inside = { path: join(path, split), map, ...how };
    const its = await folderItems(join(source, split), inside);
    for (const item of its.items) items.push({ ...item, others: { split, ...item.others } });
    for (const note of its.notes) notes.add(note);
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
  return { items, notes: [...notes] };
}

/** The images of one folder, as its table names them, or with texts from elsewhere. */
async function folderItems(
  source: string,
  {
    path,
    map,
    texts: place,
    ...how
  }: Omit<Parameters<typeof itemsOf>[1], "directory"> & {
    readonly path: string;
    readonly texts?: TextPlace | undefined;
  },
): Promise<ScoreItems> {
  const request = { place, textColumn: map.text, skipMissing: how.skipBad };
  const folder = await openImageFolder(path, request).catch(async (error: unknown) => {
    throw (place === undefined ? await otherTable(source, path) : undefined) ?? error;
  });
  if (folder.note !== undefined) {
    const columns = place === "order" ? folderColumns : { ...folderColumns, ...map };
    const items = await itemsOf(folder.table(), { directory: path, map: columns, ...how });
    const otherwise = place === undefined ? `. Elsewhere: --texts ${textPlaces.join("|")}` : "";
    return { items, notes: [`${folder.note}${otherwise}`] };
  }
  const table = { name: folder.metadata, path: folder.metadata };
  const guessed = await guessedColumns(table, map, folderColumns);
  const columns = { ...folderColumns, ...map, ...guessed };
  const items = await itemsOf(table, { directory: path, map: columns, ...how });
  const unlisted = unlistedImages(
    folder,
    items.map(({ image }) => image),
  );
  return {
    items,
    notes: [
      ...guessNotes(guessed),
      ...(unlisted.length === 0
        ? []
        : [
            `${unlisted.length} of the folder's images ${unlisted.length === 1 ? "is" : "are"} not ` +
              `in ${basename(folder.metadata)}, such as ${unlisted[0]}`,
          ]),
    ],
  };
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

async function itemsOf(
  source: TableSource,
  {
    directory,
    map,
    allowOutside,
    skipBad,
  }: {
    readonly directory: string;
    readonly map: Readonly<Record<string, string>>;
    readonly allowOutside: boolean;
    readonly skipBad: boolean;
  },
): Promise<ScoreItem[]> {
  const kind = skipBad ? textOrNone : text;
  const own = new Set([map.image ?? "image", map.text ?? "text"]);
  const items: ScoreItem[] = [];
  // Many rows may name one image.
  const paths = new Map<string, string>();
  for await (const { line, row, all } of readTable({
    source,
    columns: { image: kind, text: kind, entities: structure },
    map,
  })) {
    const { entities, ...named } = row;
    const missing = (["image", "text"] as const).filter((name) => row[name].trim() === "");
    const path = paths.get(row.image) ?? resolve(directory, row.image);
    paths.set(row.image, path);
    const others = Object.entries(all).filter(([name]) => !own.has(name));
    items.push({
      ...named,
      ...(entities === undefined ? {} : { structure: entities }),
      ...(allowOutside ? {} : { folder: directory }),
      path,
      place: `line ${line}`,
      ...(missing.length === 0
        ? {}
        : { problem: `Expected text for ${missing.join(" and ")} but received nothing` }),
      others: Object.fromEntries(others.map(([name, value]) => [name, cellJson(value)])),
    });
  }
  return items;
}

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
