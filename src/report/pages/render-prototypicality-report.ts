import { tieText } from "../../analysis/pairs/score-ties.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { cards } from "../sections/cards.js";
import { claims } from "../sections/claims-section.js";
import { failures } from "../sections/failures.js";
import { filters } from "../sections/filters.js";
import { type FurtherChapter, furtherChapters } from "../sections/further-chapters.js";
import { gallery } from "../sections/gallery-section.js";
import { artCredit } from "../sections/lab-notice.js";
import { methods } from "../sections/methods.js";
import { examplePair, firstScreen, furtherFindings } from "../sections/opening.js";
import { scores } from "../sections/scores.js";
import { timesTable } from "../sections/times-table.js";
import { unanswered } from "../sections/unanswered.js";
import { reportVerdict } from "../verdicts/report-verdict.js";
import { type Content, html } from "./html.js";
import { page } from "./page.js";

/**
 * The report of a prototypicality run as one self-contained HTML file. Pure: the same report gives
 * the same text.
 */
export async function renderPrototypicalityReport(
  report: PrototypicalityReport,
  { further = [] }: { readonly further?: readonly FurtherChapter[] } = {},
): Promise<string> {
  const verdict = reportVerdict(report);
  return page({
    title: `Prototypicality report: ${report.name}`,
    first: await firstScreen(report, verdict),
    sections: [
      { id: "also", title: "What else is known", body: await furtherFindings(report, verdict) },
      ...[
        { id: "failures", title: "By domain and error type", body: await failures(report) },
        { id: "cards", title: "Pairs to look at", body: cards(report, examplePair(report)) },
        { id: "disagreement", title: "Where metrics disagree most", body: gallery(report.gallery) },
        { id: "filters", title: "With and without filters", body: await filters(report) },
        { id: "scores", title: "Scores and margins", body: await scores(report) },
        ...(report.times.length === 0
          ? []
          : [{ id: "times", title: "What a score takes", body: timesTable(report) }]),
        {
          id: "claims",
          title: "Claims of the paper",
          body: html`${claims(report.claims)}${weighting(report)}`,
        },
        ...(further.length === 0
          ? []
          : [{ id: "further", title: "Further chapters", body: furtherChapters(further) }]),
        { id: "unscored", title: "What has no answer", body: unanswered(report) },
        {
          id: "methods",
          title: "How every number was made",
          body: methods({ ...report, tieRule: tieRule(report) }),
        },
      ].map((section) => ({ ...section, isFolded: true })),
    ],
    closing: html`${report.fromLab && artCredit}<p>Made by touchstone-t2i. This file asks nothing of a network and runs no script.</p>`,
  });
}

function weighting({ selections: [{ metrics }] }: PrototypicalityReport): Content {
  const isOne = metrics.every(({ domains }) => Object.keys(domains).length < 2);
  return isOne
    ? ""
    : html`<p class="prose small">Where no domain is named, the pairs of all domains are pooled.</p>`;
}

const tieRule = ({ tieTolerance }: PrototypicalityReport) =>
  `a tie is a failure; the strict failure rate leaves ties out; ${tieText(tieTolerance)}`;
