import { printedTable } from "../../views/printed.js";
import type { Marked, ViewTable, Words } from "../../views/view.js";
import { type Content, type Html, html } from "./html.js";

/** Texts of a column are set in one line where none is longer. */
const longestShort = 20;

/** A table on a card of so many columns is never wider than the card. */
const mostUnscrolled = 4;

/**
 * A table of a view; below its title and note, or `titled` by a heading above it, or `bare`, of a card.
 */
export function tableOf(
  table: ViewTable,
  { look = "whole" }: { readonly look?: "whole" | "titled" | "bare" } = {},
): Html {
  const { title, columns, rows, note } = printedTable(table);
  const isBand = table.columns[0]?.isBand === true;
  const shown = columns.map(({ title, align, group }, at): Column => {
    const isShort = rows.every((row) => (row[at]?.length ?? 0) <= longestShort);
    const kind = align === "right" ? "number" : isShort ? "short" : undefined;
    return { title, ...(kind && { kind }), ...(group !== undefined && { group }) };
  });
  const laid = {
    columns: isBand ? shown.slice(1) : shown,
    rows: rows.map((texts, at): Row => {
      const isNew = texts[0] !== "";
      const cells = texts.map((text, place): Content => {
        const cell = table.rows[at]?.[place] ?? null;
        return text !== "" && typeof cell === "object" && cell !== null && "words" in cell
          ? wordsOf(cell)
          : text;
      });
      const [first, second, ...rest] = cells;
      return isBand
        ? { ...(isNew && { about: first }), heading: second, cells: rest }
        : { heading: isNew ? first : above, cells: cells.slice(1), rule: look !== "bare" && isNew };
    }),
  };
  if (look === "bare") {
    const bare = bareTable({ name: title, ...laid });
    return laid.columns.length > mostUnscrolled ? scrolled(title, bare) : bare;
  }
  return dataTable({
    name: title,
    caption: look === "titled" ? note : html`<b>${title}.</b> ${note}`,
    ...laid,
  });
}

/** Words on a page, each in its look. */
export const wordsOf = (words: Words): Content =>
  typeof words === "string"
    ? words
    : words.words.map((one) => (typeof one === "string" ? one : markedOf(one)));

function markedOf({ text, as, to }: Marked): Html {
  if (as === "code") return html`<code>${text}</code>`;
  if (as === "em") return html`<em>${text}</em>`;
  if (as === "strong") return html`<b>${text}</b>`;
  if (as === "small") return html`<small>${text}</small>`;
  if (as === "link") return html`<a href="${to}">${text}</a>`;
  return html`<span class="${as === "under" ? "model" : as}">${text}</span>`;
}

interface Laid {
  /** The name that a screen reader reads. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

interface Column {
  readonly title: Content;
  /** Numbers stand to the right, one below the other; short words stay in one line. */
  readonly kind?: "number" | "short";
  /** Neighbours with the same group share a heading above theirs. */
  readonly group?: string;
}

/** Stands for a heading that goes on from the row above. */
const above = Symbol("above");

interface Row {
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
}: Laid & { readonly caption: Content }): Html {
  return html`<div class="table">
<p class="caption">${caption}</p>
${scrolled(`Table: ${name}`, bareTable({ name, columns, rows }))}</div>
`;
}

const scrolled = (name: string, table: Html): Html =>
  html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
${table}</div>
`;

const bareTable = ({ name, columns, rows }: Laid): Html => html`<table aria-label="${name}">
<thead>
${groupRow(columns)}<tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.title}</th>`)}</tr>
</thead>
<tbody>
${rows.map((row, at) => rowOf(row, spanOf(rows, at), columns))}</tbody>
</table>
`;

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
