/** A table of text, for a terminal, Markdown or HTML. */
export interface TextTable {
  readonly title: string;
  readonly columns: readonly { readonly title: string; readonly align?: "left" | "right" }[];
  /** A first cell that is empty stands for the one above it. */
  readonly rows: readonly (readonly string[])[];
  /** What a reader must know to read it. */
  readonly note: string;
}

/** A conclusion as people read it, in whatever form. */
export interface ReadableConclusion {
  /** What was concluded, in a sentence or two. */
  readonly verdict: string;
  readonly tables: readonly TextTable[];
  /** What a reader must know before believing it, a sentence each. */
  readonly warnings: readonly string[];
  /** How its intervals or p-values were made, a sentence. */
  readonly method: string;
}
