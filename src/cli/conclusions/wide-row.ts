/** A row of a wide table. */
export interface WideRow {
  readonly id: string;
  readonly prompt: string | undefined;
  /** Its group; undefined where no column was named for it. */
  readonly group: string | undefined;
  /** The same in all rows of one item; undefined where nothing names the item. */
  readonly item: string | undefined;
  /** In the order of people's columns, null where nobody answered; or all ratings of an item. */
  readonly people: readonly (number | null)[];
  /** In the order of the metrics. */
  readonly scores: readonly (number | null)[];
  /** What partial correlations hold constant, in the order of its columns. */
  readonly controls: readonly (number | null)[];
}

/** A row for each item: what people said in their columns and what each metric did. */
export interface WideTable {
  readonly metrics: readonly string[];
  readonly rows: readonly WideRow[];
  /** Notes on reading the table, a sentence each. */
  readonly notes: readonly string[];
}
