import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/phrases.js";
import { type ImageRow, imageSets, textColumn } from "../../../files/image-sets/image-set.js";
import { kindAt } from "../../../files/regular-file.js";
import { cellJson } from "../../../tables/cell-json.js";
import { structure } from "../../../tables/structure-column.js";
import { ItemList } from "./item-list.js";
import type { ScoreItem } from "./score-item.js";

/** Images that stood within files, each as a file of its own for as long as it is scored. */
export interface UnpackedItems {
  readonly items: ItemList;
  readonly notes: readonly string[];
  /** Removes the files. */
  remove(): Promise<void>;
}

interface How {
  readonly workingDirectory: string;
  readonly map: Readonly<Record<string, string>>;
  readonly skipBad: boolean;
}

/**
 * Reads what to score in WebDataset shards (.tar) and in Parquet files with a column of images: a path, or
 * a pattern. Images are unpacked one after the other into a temporary folder, each once, by their hash.
 *
 * @returns undefined where the source is neither.
 * @throws InputError where a file is damaged or hostile, or no column has the texts.
 */
export async function unpackedItems(source: string, how: How): Promise<UnpackedItems | undefined> {
  const sets = await imageSets(source, how.workingDirectory, how.map.image);
  if (sets.length === 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "touchstone-images-"));
  const items = new ItemList();
  const remove = async () => {
    await items.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const notes = new Set<string>();
    for (const { name, path, rows, ...set } of sets) {
      const { column: image, columns = [] } = set;
      if (how.map.image === undefined && columns.length > 1) {
        const other = columns.find((one) => one !== image) ?? "";
        notes.add(
          `Reading the image from ${image}, of the columns ${listText(columns)}; another one: --map image=${other}`,
        );
      }
      let column: string | undefined;
      for await (const row of rows) {
        if (column === undefined) {
          column = how.map.text ?? textColumn(namesOf(row), name);
          if (how.map.text === undefined && column !== "text") {
            notes.add(`Reading the text from ${column}; another one: --map text=my_column`);
          }
        }
        // Other images of a row are no values that a result could hold.
        const values = withoutColumns(row.values, columns);
        await items.add(
          await itemOf(
            { ...row, values },
            { column, folder, beside: dirname(path), skipBad: how.skipBad },
          ),
        );
      }
    }
    if (items.length === 0) throw new InputError(`Expected images in ${source} but found none`);
    return { items, notes: [...notes], remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const withoutColumns = (values: ImageRow["values"], columns: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !columns.includes(name)));

const namesOf = ({ values }: ImageRow) => Object.keys(values).filter((name) => name !== "__key__");

async function itemOf(
  { place, image, bytes, values }: ImageRow,
  {
    column,
    folder,
    beside,
    skipBad,
  }: {
    readonly column: string;
    readonly folder: string;
    readonly beside: string;
    readonly skipBad: boolean;
  },
): Promise<ScoreItem> {
  const { [column]: said, entities, ...others } = values;
  const text = typeof said === "string" ? said.trim() : "";
  const missing = [
    ...(bytes === undefined && !/\.\w+$/.test(image) ? ["the image"] : []),
    ...(text === "" ? [column] : []),
  ];
  if (missing.length > 0 && !skipBad) {
    throw new InputError(
      `Expected a value for ${missing.join(" and ")} but received nothing (in ${place})`,
      { hint: "--skip-bad leaves such rows unscored and scores the rest" },
    );
  }
  const described =
    entities === undefined ? undefined : structure.read(entities, { isText: false });
  const path =
    bytes === undefined ? resolve(beside, image) : await written(bytes, { folder, name: image });
  return {
    image,
    path,
    text,
    folder: bytes === undefined ? beside : folder,
    place,
    others: Object.fromEntries(
      Object.entries(others).map(([name, cell]) => [name, cellJson(cell)]),
    ),
    ...(described !== undefined && "value" in described && described.value !== undefined
      ? { structure: described.value }
      : {}),
    ...(missing.length === 0
      ? {}
      : { problem: `Expected a value for ${missing.join(" and ")} but received nothing` }),
  };
}

/** The same image is written once. */
async function written(
  bytes: Uint8Array,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<string> {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const ending = /^\.[a-z]{3,4}$/i.exec(extname(name))?.[0] ?? "";
  const path = join(folder, `${hash}${ending}`);
  const isThere = (await kindAt(path)) !== undefined;
  if (!isThere) await writeFile(path, bytes);
  return path;
}
