/** One item (an image), what people said of it and what each metric did; null where nobody did. */
export interface CorrelationRow {
  /** Told apart by it where there is no prompt; the order of rows then changes no draw. */
  readonly id: string;
  readonly prompt?: string | undefined;
  /** The group to correlate within, where groups are asked for: a task, a model. */
  readonly group?: string | undefined;
  readonly human: number | null;
  /** In the order of the metrics. */
  readonly scores: readonly (number | null)[];
  /** What partial correlations hold constant, in the order of their columns. */
  readonly controls?: readonly (number | null)[] | undefined;
}

export interface CorrelationTable {
  /** The name of the human ratings. */
  readonly human: string;
  readonly metrics: readonly string[];
  readonly rows: readonly CorrelationRow[];
}
