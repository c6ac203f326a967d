import type { ConfusionReport } from "../../benchmarks/attribute-confusion/conclusion.js";
import { ablations } from "../sections/ablations.js";
import { claims } from "../sections/claims-section.js";
import { confusionCorrelation } from "../sections/confusion-correlation.js";
import { gallery } from "../sections/gallery-section.js";
import { artCredit, labNotice } from "../sections/lab-notice.js";
import { methods } from "../sections/methods.js";
import { plotFigure } from "../sections/plot-figure.js";
import { strips } from "../sections/strips.js";
import { swapCards } from "../sections/swap-cards-section.js";
import { swapFigure, swapTest } from "../sections/swap-test-section.js";
import { unscoredTable } from "../sections/unanswered.js";
import { confusionVerdict } from "../verdicts/confusion-verdict.js";
import { html } from "./html.js";
import { page } from "./page.js";

/**
 * The report of an attribute confusion run as one self-contained HTML file. Pure: the same report
 * gives the same text.
 */
export async function renderConfusionReport(report: ConfusionReport): Promise<string> {
  const [verdict = "", ...others] = confusionVerdict(report);
  const { tieRule, tieTolerance } = report.selections[0].swap;
  const figure = swapFigure(report);
  return page({
    title: `Attribute confusion report: ${report.name}`,
    first: {
      verdict,
      notice: report.fromLab && labNotice,
      figure: await plotFigure(figure, figure.caption),
      example: swapCards(report),
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: html`${others.length > 0 && html`<ul class="also">${others.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<p class="small">Brackets hold 95 % intervals, clustered by description.</p>`,
      },
      ...[
        { id: "swap", title: "Swapped attributes", body: swapTest(report) },
        {
          id: "reference",
          title: "Agreement with the reference",
          body: confusionCorrelation(report),
        },
        { id: "strips", title: "What a localised metric looks at", body: strips(report) },
        { id: "disagreement", title: "Where metrics disagree most", body: gallery(report.gallery) },
        { id: "ablations", title: "Ablations", body: ablations(report) },
        { id: "claims", title: "Claims of the paper", body: claims(report.claims) },
        { id: "unscored", title: "What has no answer", body: unscoredTable(report.unscored) },
        {
          id: "methods",
          title: "How every number was made",
          body: methods({ ...report, tieRule, tieTolerance }),
        },
      ].map((section) => ({ ...section, isFolded: true })),
    ],
    closing: html`${report.fromLab && artCredit}<p>Made by touchstone-t2i. This file asks nothing of a network and runs no script.</p>`,
  });
}
