import { extname, resolve } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import { type FileContent, writeFileAtomically } from "../../files/atomic.js";
import { type CellTable, csvText } from "../../tables/cell-table.js";
import { printableLines } from "../../views/printable.js";
import {
  printableConclusion,
  type ReadableConclusion,
  type TextTable,
} from "../../views/text-table.js";
import { checkOut } from "../command-line/out-path.js";

/** Content of a file about a conclusion. */
export interface ConclusionFile {
  /** Output of --json. */
  readonly json: Json;
  /** Unrounded, a row for each thing reported. */
  table(): CellTable;
  readonly readable: ReadableConclusion;
  /** The command that makes it again. */
  readonly command: string;
  /** One HTML page. The only one that may draw: it loads plots when it is asked for. */
  page(): Promise<string>;
}

type Writer = (file: ConclusionFile) => FileContent | Promise<FileContent>;

const writers: Readonly<Record<string, Writer>> = {
  ".json": ({ json }) => `${JSON.stringify(json, null, 2)}\n`,
  ".csv": (file) => csvText(file.table()),
  ".parquet": async (file) =>
    (await import("../../files/parquet-bytes.js")).parquetBytes(file.table()),
  ".md": markdownText,
  ".html": (file) => file.page(),
};

/**
 * Returns a writer of the file named by --out, if there is one; `file` is what is read.
 *
 * @throws InputError for an ending that is none of .json, .csv, .parquet, .md and .html, and for a table that is read.
 */
export async function fileWriter(
  { out, file: input }: { readonly out: string | undefined; readonly file: readonly string[] },
  { workingDirectory }: { readonly workingDirectory: string },
): Promise<(file: ConclusionFile) => Promise<void>> {
  if (out === undefined) return async () => {};
  const writer = writers[extname(out).toLowerCase()];
  if (writer === undefined) {
    throw new InputError(
      `Expected a file that ends in ${Object.keys(writers).join(", ")} for --out but received "${out}"`,
    );
  }
  await checkOut(out, { inputs: input, workingDirectory });
  return async (file) => writeFileAtomically(resolve(workingDirectory, out), await writer(file));
}

function markdownText({ readable, command }: ConclusionFile): string {
  const { verdict, findings, tables, warnings, method } = printableConclusion(readable);
  const listed = (sentences: readonly string[]) =>
    sentences.length === 0 ? [] : [sentences.map((one) => `- ${escaped(one)}`).join("\n")];
  return [
    `**${escaped(verdict)}**`,
    ...listed(findings),
    ...tables.map(markdownTable),
    ...listed(warnings),
    `${unmentioned(method)} Made by \`${printableLines(command)}\`.`,
  ]
    .join("\n\n")
    .concat("\n");
}

function markdownTable({ title, columns, rows, note }: TextTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [
    `### ${unmentioned(title)}`,
    "",
    line(columns.map((column) => column.title)),
    `| ${columns.map(({ align }) => (align === "right" ? "---:" : "---")).join(" | ")} |`,
    ...rows.map(line),
    "",
    note,
  ].join("\n");
}

/** Names come from a file of the user's: they must not become markup, a link or a new cell. */
/** A name such as @team notifies nobody where the file becomes a comment: an empty comment parts it. */
const unmentioned = (text: string) =>
  text.replace(/(?<![\p{L}\p{N}_])@(?=[\p{L}\p{N}])/gu, "@<!-- -->");

const escaped = (text: string) =>
  unmentioned(text.replace(/[\\|`*_<>]/g, (character) => `\\${character}`))
    .replaceAll("](", "]\\(")
    .replace(/\s+/g, " ");
