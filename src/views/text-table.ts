export interface TextColumn {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Neighbours with the same group share a heading above theirs. */
  readonly group?: string;
  /** A narrow terminal leaves out others before it. */
  readonly isEssential?: boolean;
}

/** A table as it is printed: for a terminal, Markdown or HTML. */
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

/** Columns of numbers, which end at the right. */
export const numberColumns = (
  ...titles: readonly string[]
): readonly { readonly title: string; readonly align: "right" }[] =>
  titles.map((title) => ({ title, align: "right" }));
