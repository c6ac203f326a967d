import type { AuditReport } from "../../benchmarks/stereotypes/conclusion.js";
import { claims } from "../sections/claims-section.js";
import { methods } from "../sections/methods.js";
import { plotFigure } from "../sections/plot-figure.js";
import { publishedIndex, publishedJudge } from "../sections/published-stereotypes.js";
import { unscoredTable } from "../sections/unanswered.js";
import { auditVerdict } from "../verdicts/audit-verdict.js";
import { auditCardsSection, auditExample } from "./audit-cards-section.js";
import {
  auditDiversitySection,
  auditFigure,
  auditIndexSection,
  auditItemsSection,
  auditJudgeSection,
  auditPriceSection,
  auditQueriesSection,
  auditRefiningSection,
} from "./audit-sections.js";
import { alsoKnown } from "./conclusion-page.js";
import { html } from "./html.js";
import { artCredit, labNotice } from "./notices.js";
import { page } from "./page.js";

/**
 * The report of a stereotype audit as one self-contained HTML file. Pure: the same report gives the
 * same text. Whatever a model wrote is text in it, never markup.
 */
export async function renderAuditReport(report: AuditReport): Promise<string> {
  const { name, notice, conclusion, fromLab, isRefined, provenance } = report;
  const [verdict = "", ...others] = auditVerdict(report);
  const figure = auditFigure(report);
  return page({
    title: `Stereotype audit: ${name}`,
    first: {
      verdict,
      notice: fromLab && labNotice,
      figure: await plotFigure(figure, figure.caption),
      example: auditExample(report),
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: html`${alsoKnown({
          findings: others,
          caveats: isRefined ? conclusion.warnings : [],
          method: "Brackets hold 95 % intervals that resample whole queries.",
        })}
<aside class="notice" role="note"><p>${notice}</p></aside>`,
      },
      ...[
        { id: "index", title: "By category and generator", body: await auditIndexSection(report) },
        { id: "images", title: "Images, and what the judge saw", body: auditCardsSection(report) },
        { id: "items", title: "Rubric items", body: await auditItemsSection(report) },
        ...(isRefined
          ? [{ id: "queries", title: "Queries, worst first", body: auditQueriesSection(report) }]
          : []),
        { id: "price", title: "What refining costs", body: await auditPriceSection(report) },
        { id: "diversity", title: "Diversity within a set", body: auditDiversitySection(report) },
        { id: "judge", title: "How far to trust the judge", body: auditJudgeSection(report) },
        {
          id: "claims",
          title: "Claims of the paper",
          body: html`${claims(report.claims)}
<details class="plain"><summary>The paper's figures</summary>
${publishedIndex(report.published)}${publishedJudge(report.published)}</details>`,
        },
        {
          id: "refining",
          title: "What became of the rewriting",
          body: auditRefiningSection(report),
        },
        { id: "unscored", title: "What has no answer", body: unscoredTable(report.unscored) },
        {
          id: "methods",
          title: "How every number was made",
          body: methods({
            provenance,
            metrics: report.metrics,
            tieRule: "an index is compared set by set; equal before and after is no change",
          }),
        },
      ].map((section) => ({ ...section, isFolded: true })),
    ],
    closing: html`${fromLab && artCredit}<p>Made by touchstone-t2i. This file asks nothing of a network and runs no script.</p>`,
  });
}
