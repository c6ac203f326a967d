import type { Figure } from "../../views/figures/figure.js";
import type { Card, Chapter } from "../../views/report.js";
import type { View, ViewTable, Words } from "../../views/view.js";
import { type Html, html } from "./html.js";
import { artCredit, cardOf, labNotice, listOf, partsOf, plotFigure } from "./html-parts.js";
import { tableOf, wordsOf } from "./html-table.js";
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
    chapters = [],
    opened = [],
    isFromLab = false,
    notice,
  }: {
    readonly title: string;
    /** The command that makes it again. */
    readonly command: string;
    readonly figure?: Figure | undefined;
    /** An example beside the picture. */
    readonly example?: Card | undefined;
    /** More to look at, folded, before the tables. */
    readonly chapters?: readonly Chapter[];
    /** What is to be looked at first, open. */
    readonly opened?: readonly Chapter[];
    /** Whether the lab drew its pictures. */
    readonly isFromLab?: boolean;
    /** What its pictures or people are not, in place of what is said of the lab's. */
    readonly notice?: Words;
  },
): Promise<string> {
  const { verdict, findings = [], tables, caveats, method } = view;
  const [lead = "", ...others] = sentencesOf(verdict);
  return page({
    title,
    first: {
      verdict: lead,
      notice:
        notice === undefined
          ? isFromLab && labNotice
          : html`<aside class="notice" role="note"><p>${wordsOf(notice)}</p></aside>`,
      figure: figure && (await plotFigure(figure)),
      example: example && (await cardOf(example)),
    },
    sections: [
      ...(await foldedSections(opened)).map((section) => ({ ...section, isFolded: false })),
      {
        id: "also",
        title: "What else is known",
        body: alsoKnown({ findings: [...others, ...findings], caveats, method }),
      },
      ...(await foldedSections(chapters)),
      ...tableSections(tables),
    ],
    closing: html`${isFromLab && artCredit}<p>Made by: <code>${command}</code> (in a clone: <code>./bin/touchstone</code>)</p>`,
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
  return html`${findings.length > 0 && listOf(findings)}${
    caveats.length > 0 &&
    html`<h3>Caveats</h3>
${listOf(caveats)}`
  }<p class="small">${method}</p>`;
}

/** A section for each table, the first open where it is short. */
export const tableSections = (tables: readonly ViewTable[]): PageSection[] =>
  tables.map((table, at) => ({
    id: `table-${at + 1}`,
    title: table.title,
    body: tableOf(table, { look: "titled" }),
    isFolded: at > 0 || table.rows.length > mostOpenRows,
  }));

/** Chapters, each closed until its reader opens it. */
export async function foldedSections(chapters: readonly Chapter[]): Promise<PageSection[]> {
  const sections: PageSection[] = [];
  for (const { id, title, parts } of chapters) {
    sections.push({ id, title, body: await partsOf(parts), isFolded: true });
  }
  return sections;
}
