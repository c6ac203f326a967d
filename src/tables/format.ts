import { isDeep } from "../core/json.js";

export const tableFormats = ["jsonl", "csv", "parquet", "json"] as const;
export type TableFormat = (typeof tableFormats)[number];

const endings: Readonly<Record<string, TableFormat>> = {
  jsonl: "jsonl",
  ndjson: "jsonl",
  json: "json",
  csv: "csv",
  tsv: "csv",
  parquet: "parquet",
};

const packed = /\.(gz|zst)$/i;

/** Whether a file's name says that gzip or Zstandard packed it: scores.csv.gz. */
export const isPacked = (name: string): boolean => packed.test(name);

/** The format that a file's name tells; of a packed one the name without the last ending. */
export function formatByEnding(name: string): TableFormat | undefined {
  const ending = /[^/\\]\.([^./\\]+)$/.exec(name.replace(packed, ""))?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(endings, ending) ? endings[ending] : undefined;
}

/** A row that the reader of JSON finds, its values by column, or what is wrong with one. */
export type TableItem =
  | {
      readonly kind: "row";
      /** The line on which the row starts (JSONL, CSV); else the row; from 1. */
      readonly line: number;
      /** Where it stands in a JSON document, such as `00232.DALLE_3`. */
      readonly key?: string;
      readonly values: Readonly<Record<string, unknown>>;
      /** What is wrong with its cells, which matters where the column is read. */
      readonly faults?: readonly { readonly column: string; readonly problem: string }[];
    }
  | { readonly kind: "bad"; readonly line: number; readonly problem: string };

/** Limit for one row: longer ones are no rows but another kind of file, which memory could not hold. */
export const mostCharacters = 16_000_000;
export const tooLong = `Expected a row of at most ${mostCharacters / 1e6} million characters`;

/** A value as a message quotes it: short, on one line. */
export function quoted(value: unknown): string {
  if (value === undefined || value === null || value === "") return "nothing";
  const text = typeof value === "string" ? JSON.stringify(value) : printed(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function printed(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (isDeep(value)) return Array.isArray(value) ? "an array" : "an object";
  return JSON.stringify(value) ?? String(value);
}

/** Says why a number that `lostNumber` found can't be kept. */
export const lostText = (lost: string): string =>
  `Expected numbers no nearer to 0 than 5e-324 but received ${quoted(lost)}, which would be read as 0`;
