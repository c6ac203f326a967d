import type { Figure } from "../plots/figure.js";
import { plotFigure } from "../sections/plot-figure.js";
import { above, dataTable } from "../text/data-table.js";
import type { ReadableConclusion, TextTable } from "../text/text-table.js";
import { type Html, html } from "./html.js";
import { type PageSection, page } from "./page.js";

/** A conclusion as one HTML file: the verdict, its picture, then the tables. */
export async function conclusionPage(
  { verdict, findings = [], tables, warnings, method }: ReadableConclusion,
  {
    title,
    command,
    figure,
    sections = [],
    notice,
    credit,
  }: {
    readonly title: string;
    /** The command that makes it again. */
    readonly command: string;
    readonly figure?: Figure | undefined;
    /** More to look at, before the tables. */
    readonly sections?: readonly PageSection[];
    /** What its pictures are not. */
    readonly notice?: Html;
    /** Whose pictures there are. */
    readonly credit?: Html;
  },
): Promise<string> {
  const figures =
    figure === undefined
      ? []
      : [{ id: "plot", title: figure.title, body: await plotFigure(figure.spec, figure.caption) }];
  return page({
    title,
    opening: html`<h1>${title}</h1>
<p class="lead">${verdict}</p>
${findings.length > 0 && html`<ul>${findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}
${warnings.length > 0 && html`<ul class="also">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
<p class="small">${method}</p>
${notice}`,
    sections: [
      ...figures,
      ...sections,
      { id: "tables", title: "Tables", body: tables.map(tableOf) },
    ],
    closing: html`${credit}<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}

export function tableOf({ title, columns, rows, note }: TextTable) {
  return dataTable({
    name: title,
    caption: html`<b>${title}.</b> ${note}`,
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
