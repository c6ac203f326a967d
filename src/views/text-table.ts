import { printable, printableLines } from "./printable.js";

export interface TextColumn {
  readonly title: string;
  readonly align?: "left" | "right";
  /** A narrow terminal leaves out others before it. */
  readonly isEssential?: boolean;
}

/** A table of text, for a terminal, Markdown or HTML. */
export interface TextTable {
  readonly title: string;
  readonly columns: readonly TextColumn[];
  /** A first cell that is empty stands for the one above it. */
  readonly rows: readonly (readonly string[])[];
  /** How to read it. */
  readonly note: string;
  /** Stands beside the first table where a terminal leaves the details out. */
  readonly isHeadline?: boolean;
}

/** A conclusion as people read it, in whatever form. */
export interface ReadableConclusion {
  /** The verdict, in a sentence or two. */
  readonly verdict: string;
  /** Further findings, a sentence each; they stand below the verdict. */
  readonly findings?: readonly string[];
  readonly tables: readonly TextTable[];
  /** Caveats, a sentence each. */
  readonly warnings: readonly string[];
  /** How its intervals or p-values were made, a sentence. */
  readonly method: string;
}

/** The same with what would harm a terminal or mislead a reader shown in the open. */
export function printableConclusion({
  verdict,
  findings = [],
  tables,
  warnings,
  method,
}: ReadableConclusion): Required<ReadableConclusion> {
  return {
    verdict: printableLines(verdict),
    findings: findings.map(printableLines),
    tables: tables.map(({ title, columns, rows, note, ...rest }) => ({
      ...rest,
      title: printable(title),
      columns: columns.map((column) => ({ ...column, title: printable(column.title) })),
      rows: rows.map((row) => row.map(printable)),
      note: printableLines(note),
    })),
    warnings: warnings.map(printableLines),
    method: printableLines(method),
  };
}
