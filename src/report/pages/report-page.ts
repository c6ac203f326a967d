import type { Report } from "../../views/report.js";
import { alsoKnown, foldedSections } from "./conclusion-page.js";
import { html } from "./html.js";
import { artCredit, cardOf, labNotice, partsOf, plotFigure } from "./html-parts.js";
import { page } from "./page.js";

/**
 * The report of a run as one self-contained HTML file. Pure: the same report gives the same text.
 *
 * @param sanity what models see and metrics read, where it was checked
 */
export async function reportPage(
  {
    title,
    verdict: [lead = "", ...findings],
    isFromLab,
    figure,
    example,
    caveats,
    method,
    also = [],
    notice,
    chapters,
  }: Report,
  { sanity }: { readonly sanity?: string | undefined } = {},
): Promise<string> {
  return page({
    title,
    first: {
      verdict: lead,
      sanity,
      notice: isFromLab && labNotice,
      figure: figure && (await plotFigure(figure)),
      example: example && (await cardOf(example)),
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: html`${alsoKnown({ findings, caveats, method })}${await partsOf(also)}${
          notice !== undefined && html`<aside class="notice" role="note"><p>${notice}</p></aside>`
        }`,
      },
      ...(await foldedSections(chapters)),
    ],
    closing: html`${isFromLab && artCredit}<p>Made by touchstone-t2i. This file asks nothing of a network and runs no script.</p>`,
  });
}
