import type { Figure } from "../../views/figures/figure.js";
import { printedTable } from "../../views/printed.js";
import type { View, ViewTable } from "../../views/view.js";
import { plotFigure } from "../sections/plot-figure.js";
import { above, dataTable } from "./data-table.js";
import { type Html, html } from "./html.js";
import { type PageSection, page } from "./page.js";

/** A table of so many rows is read at once; a longer one folds. */
const mostOpenRows = 12;

/**
 * A conclusion as one HTML file: the verdict's first sentence and its picture on the first screen, then
 * what else was found and a short first table; longer tables fold.
 */
export async function conclusionPage(
  view: View,
  {
    title,
    command,
    figure,
    example,
    sections = [],
    notice,
    credit,
  }: {
    readonly title: string;
    /** The command that makes it again. */
    readonly command: string;
    readonly figure?: Figure | undefined;
    /** An example beside the picture. */
    readonly example?: Html | undefined;
    /** More to look at, folded, before the tables. */
    readonly sections?: readonly PageSection[];
    /** A notice of what its pictures are not. */
    readonly notice?: Html;
    /** Credit to the makers of the pictures shown. */
    readonly credit?: Html;
  },
): Promise<string> {
  const { verdict, findings = [], tables, caveats, method } = view;
  const [lead = "", ...others] = sentencesOf(verdict);
  return page({
    title,
    first: {
      verdict: lead,
      notice,
      figure: figure && (await plotFigure(figure, figure.caption)),
      example,
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: alsoKnown({ findings: [...others, ...findings], caveats, method }),
      },
      ...sections.map((section) => ({ ...section, isFolded: true })),
      ...tableSections(tables),
    ],
    closing: html`${credit}<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}

/**
 * The sentences of a verdict; the first stands alone.
 *
 * @example sentencesOf("a wins 81.0 % of 9. People differ.") // ["a wins 81.0 % of 9.", "People differ."]
 */
export const sentencesOf = (verdict: string): string[] => verdict.split(/(?<=[.!?]) (?=[A-Z])/);

/** Further findings, caveats, and how it was made. */
export function alsoKnown({
  findings = [],
  caveats,
  method,
}: Pick<View, "findings" | "caveats" | "method">): Html {
  const list = (sentences: readonly string[]) =>
    html`<ul class="also">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
`;
  return html`${findings.length > 0 && list(findings)}${
    caveats.length > 0 &&
    html`<h3>Caveats</h3>
${list(caveats)}`
  }<p class="small">${method}</p>`;
}

/** A section for each table, the first open where it is short. */
export const tableSections = (tables: readonly ViewTable[]): PageSection[] =>
  tables.map((table, at) => ({
    id: `table-${at + 1}`,
    title: table.title,
    body: tableOf(table, { isTitled: true }),
    isFolded: at > 0 || table.rows.length > mostOpenRows,
  }));

/** @param isTitled a heading above it says its title */
export function tableOf(
  table: ViewTable,
  { isTitled = false }: { readonly isTitled?: boolean } = {},
) {
  const { title, columns, rows, note } = printedTable(table);
  return dataTable({
    name: title,
    caption: isTitled ? note : html`<b>${title}.</b> ${note}`,
    columns: columns.map((column) =>
      column.align === "right"
        ? { title: column.title, kind: "number" as const }
        : { title: column.title },
    ),
    rows: rows.map(([first = "", ...cells]) => ({
      heading: first === "" ? above : first,
      cells,
      rule: first !== "",
    })),
  });
}
