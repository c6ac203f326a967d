import { picked, placesWith } from "../../core/row-codes.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import { RowNames } from "../inference/prompt-clusters.js";
import { type RowDraws, someDraws } from "../inference/row-draws.js";

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

/** The same by column, for millions of rows; NaN where nobody answered. */
export interface CorrelationColumns {
  /** Ids and prompts of a table of which these are some rows. */
  readonly names: RowNames;
  /** Which. */
  readonly rows: Int32Array;
  readonly group?: TextColumn | undefined;
  readonly human: Float64Array;
  readonly scores: readonly Float64Array[];
  readonly controls: readonly Float64Array[];
  /** How rows were drawn, where `label plan` drew them. */
  readonly draws?: RowDraws | undefined;
}

/** A table by column. */
export interface ColumnarTable extends Pick<CorrelationTable, "human" | "metrics"> {
  readonly columns: CorrelationColumns;
}

export function columnsOf({ human, metrics, rows }: CorrelationTable): ColumnarTable {
  const numbers = (of: (row: CorrelationRow) => number | null | undefined) =>
    Float64Array.from(rows, (row) => of(row) ?? Number.NaN);
  const controls = rows[0]?.controls ?? [];
  return {
    human,
    metrics,
    columns: {
      names: RowNames.of(rows),
      rows: Int32Array.from(rows.keys()),
      group: textColumn(rows.map(({ group = "" }) => group)),
      human: numbers((row) => row.human),
      scores: metrics.map((_, at) => numbers(({ scores }) => scores[at])),
      controls: controls.map((_, at) => numbers((row) => row.controls?.[at])),
    },
  };
}

/** The rows that have a number in all of some columns. */
export function withNumbers(
  columns: CorrelationColumns,
  wanted: readonly (Float64Array | undefined)[],
): CorrelationColumns {
  const { length } = columns.rows;
  const places = placesWith(length, wanted);
  if (places.length === length) return columns;
  const { group, human, scores, controls, rows, names, draws } = columns;
  return {
    ...(draws && { draws: someDraws(draws, places) }),
    names,
    rows: picked(rows, places),
    ...(group === undefined
      ? {}
      : { group: { names: group.names, codes: picked(group.codes, places) } }),
    human: picked(human, places),
    scores: scores.map((column) => picked(column, places)),
    controls: controls.map((column) => picked(column, places)),
  };
}
