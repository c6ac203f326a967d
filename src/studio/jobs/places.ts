import { dirname, resolve } from "node:path";
import { filesBelow } from "../../files/files-below.js";
import { readTable } from "../../files/read-table.js";
import { cellText } from "../../tables/cell-json.js";
import { Refusal } from "../refusal.js";
import { refuseOutside } from "./inside.js";
import type { TablePreview } from "./job-api.js";

const tables = [".csv", ".tsv", ".jsonl", ".json", ".parquet"];
const others = [".yaml", ".yml", ".txt", ".mjs", ".py"];
const images = [".png", ".jpg", ".jpeg", ".webp"];
/** More than anybody looks through; what is not listed can be typed. */
const mostPlaces = 1000;
const rowsShown = 5;

/** Files that verbs read and folders of images, below a folder and by name. */
export async function placesBelow(root: string): Promise<readonly string[]> {
  const found = await filesBelow(root, [...tables, ...others, ...images]);
  const isImage = (name: string) => images.some((ending) => name.toLowerCase().endsWith(ending));
  const folders = new Set(
    found.flatMap(({ name }) => (isImage(name) && name.includes("/") ? [dirname(name)] : [])),
  );
  const files = found.flatMap(({ name }) => (isImage(name) ? [] : [name]));
  return [...folders, ...files].sort().slice(0, mostPlaces);
}

/**
 * The columns and first rows of a table below a folder.
 *
 * @throws Refusal where it lies outside or is no such file; InputError where it can't be read as a table.
 */
export async function tablePreview(root: string, name: string): Promise<TablePreview> {
  const path = resolve(root, name);
  const isTable = tables.some((ending) => name.toLowerCase().endsWith(ending));
  await refuseOutside({ file: name }, root);
  if (!isTable) {
    throw new Refusal(404, "no-table", "There is no such table in the folder that is shown");
  }
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const { all } of readTable({ source: { name, path }, columns: {} })) {
    rows.push(all);
    if (rows.length === rowsShown) break;
  }
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns, rows: rows.map((row) => columns.map((column) => cellText(row[column]))) };
}
