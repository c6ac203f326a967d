import { basename, extname, resolve } from "node:path";
import type { CodedPassage } from "../../../analysis/themes/themes.js";
import { InputError } from "../../../core/errors.js";
import { readTable } from "../../../files/read-table.js";
import type { Passage } from "../../../studies/coding/passages.js";
import { optionalText, text } from "../../../tables/columns.js";
import { csvLine } from "../../../tables/csv-text.js";

/** Who knows which model made the images may code its images otherwise. */
const sheetColumns = ["passage", "participant", "query", "images", "part", "text"] as const;

/** The sheet that coders get, with an empty column for their codes. */
export const codingSheet = (passages: readonly Passage[]): string =>
  [
    csvLine([...sheetColumns, "codes"]),
    ...passages.map((passage) => csvLine([...sheetColumns.map((column) => passage[column]), null])),
  ].join("");

const columns = {
  passage: text,
  participant: text,
  query: optionalText,
  model: optionalText,
  coder: optionalText,
  codes: optionalText,
};

/**
 * Rows that were coded; one without codes was not read.
 *
 * @param options.modelOf the model of each of the study's passages; a column `model` says it of others
 * @throws InputError that lists unknown codes.
 */
export async function readSheets(
  files: readonly string[],
  {
    codes,
    modelOf,
    workingDirectory,
  }: {
    readonly codes: readonly string[];
    readonly modelOf: ReadonlyMap<string, string>;
    readonly workingDirectory: string;
  },
): Promise<readonly CodedPassage[]> {
  const coded: CodedPassage[] = [];
  const problems: string[] = [];
  for (const name of files) {
    const source = { name, path: resolve(workingDirectory, name) };
    for await (const { row, line } of readTable({ source, columns, unique: ["passage"] })) {
      if (row.codes === undefined) continue;
      const given = row.codes.trim() === "-" ? [] : row.codes.split(";").map((code) => code.trim());
      for (const code of given) {
        if (!codes.includes(code))
          problems.push(`"${code}" is not in the codebook (in ${name}, line ${line})`);
      }
      coded.push({
        passage: row.passage,
        participant: row.participant,
        query: row.query ?? "",
        model: modelOf.get(row.passage) ?? row.model ?? "",
        coder: row.coder ?? basename(name, extname(name)),
        codes: given,
      });
    }
  }
  if (problems.length > 0) throw new InputError("Expected codes of the codebook", { problems });
  return coded;
}
