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

/** Columns of numbers, which end at the right. */
export const numberColumns = (
  ...titles: readonly string[]
): readonly { readonly title: string; readonly align: "right" }[] =>
  titles.map((title) => ({ title, align: "right" }));

/** A column of numbers that a table is made for. */
export const essentialNumber = (title: string) =>
  ({ title, align: "right", isEssential: true }) as const;
