import { tableOf } from "./conclusion-page.js";
import type { TriedClaims } from "./experiment-claims-text.js";
import { methodName } from "./experiment-grid-text.js";
import { html } from "./html.js";
import { page } from "./page.js";
import { reliabilityFigure } from "./plots/experiment-reliability.js";
import { artCredit, labNotice } from "./sections/lab-notice.js";
import { plotFigure } from "./sections/plot-figure.js";
import type { ReadableConclusion } from "./text-table.js";

/** Claims tried on held-out pairs as one HTML file: reliability of every method, methods, claims. */
export async function claimsPage(
  { verdict, tables, warnings, method }: ReadableConclusion,
  { worlds, paper }: TriedClaims,
  {
    title,
    command,
    fromLab,
  }: { readonly title: string; readonly command: string; readonly fromLab: boolean },
): Promise<string> {
  const figures = await Promise.all(
    [...worlds].map(async ([world, { methods }]) => {
      const figure = reliabilityFigure(methods, {
        title: `Reliability, ${world}`,
        name: methodName,
      });
      return {
        id: `reliability-${world}`,
        title: figure.title,
        body: await plotFigure(figure.spec, figure.caption),
      };
    }),
  );
  return page({
    title,
    opening: html`<h1>${title}</h1>
<p class="lead">${verdict}</p>
<ul class="also">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>
<p class="small">${method} The claims are those of ${paper}.</p>
${fromLab && labNotice}`,
    sections: [
      ...figures,
      ...tables.map((table, at) => ({
        id: `table-${at + 1}`,
        title: table.title,
        body: tableOf(table),
      })),
    ],
    closing: html`${fromLab && artCredit}<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
  });
}
