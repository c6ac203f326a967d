import type { NamedMetric } from "../../analysis/inference/metric-name.js";
import { type Content, type Html, html } from "./html.js";

export interface Column {
  readonly title: Content;
  /** Numbers stand to the right, one below the other; short words stay in one line. */
  readonly kind?: "number" | "short";
  /** Neighbours with the same group share a heading above theirs. */
  readonly group?: string;
}

/** Stands for a heading that goes on from the row above. */
export const above = Symbol("above");

export interface Row {
  /** The subject of the row. */
  readonly heading: Content | typeof above;
  readonly cells: readonly Content[];
  /** A line above it. */
  readonly rule?: boolean;
  /** The subject of it and the rows below, over the whole width above it. */
  readonly about?: Content;
}

/**
 * A table below its caption. `columns` begin with that of the headings. Where it is wider than the
 * page it scrolls by itself, also by keyboard, and the caption stays.
 */
export function dataTable({
  name,
  caption,
  columns,
  rows,
}: {
  /** The name that a screen reader reads. */
  readonly name: string;
  readonly caption: Content;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}): Html {
  return html`<div class="table">
<p class="caption">${caption}</p>
<div class="scroll" role="region" aria-label="Table: ${name}" tabindex="0">
<table aria-label="${name}">
<thead>
${groupRow(columns)}<tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.title}</th>`)}</tr>
</thead>
<tbody>
${rows.map((row, at) => rowOf(row, spanOf(rows, at), columns))}</tbody>
</table>
</div>
</div>
`;
}

function rowOf(
  { heading, cells, rule, about }: Row,
  span: number,
  columns: readonly Column[],
): Html {
  return html`${
    about !== undefined &&
    html`<tr class="rule"><th scope="rowgroup" colspan="${columns.length}">${about}</th></tr>
`
  }<tr${rule && html` class="rule"`}>${
    heading === above ? "" : headingCell(heading, span, columns[0])
  }${cells.map((cell, at) => html`<td${classOf(columns[at + 1])}>${cell}</td>`)}</tr>
`;
}

function headingCell(heading: Content, span: number, column: Column | undefined): Html {
  return span === 1
    ? html`<th scope="row"${classOf(column)}>${heading}</th>`
    : html`<th scope="rowgroup" rowspan="${span}"${classOf(column)}>${heading}</th>`;
}

/** Over how many rows the heading of this one holds. */
function spanOf(rows: readonly Row[], at: number): number {
  const next = rows.findIndex(({ heading }, index) => index > at && heading !== above);
  return (next < 0 ? rows.length : next) - at;
}

const classOf = (column: Column | undefined): Content =>
  column?.kind !== undefined && html` class="${column.kind}"`;

function groupRow(columns: readonly Column[]): Content {
  if (columns.every(({ group }) => group === undefined)) return "";
  const runs: { group: string; span: number }[] = [];
  for (const { group = "" } of columns) {
    const last = runs.at(-1);
    if (last !== undefined && last.group === group) last.span += 1;
    else runs.push({ group, span: 1 });
  }
  return html`<tr>${runs.map(({ group, span }) =>
    group === ""
      ? html`<td colspan="${span}"></td>`
      : html`<th scope="colgroup" colspan="${span}" class="group">${group}</th>`,
  )}</tr>
`;
}

/** A metric's cell in a table. */
export function metricCell({ metric, model }: NamedMetric): Html {
  return html`${metric}${model !== "" && html`<span class="model">${model}</span>`}`;
}
