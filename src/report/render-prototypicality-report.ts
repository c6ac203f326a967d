import { html } from "./html.js";
import { page } from "./page.js";
import type { PrototypicalityReport } from "./prototypicality-report.js";
import { cards } from "./sections/cards.js";
import { failures } from "./sections/failures.js";
import { filters } from "./sections/filters.js";
import { methods } from "./sections/methods.js";
import { opening } from "./sections/opening.js";
import { scores } from "./sections/scores.js";
import { unanswered } from "./sections/unanswered.js";

/** Of the icons in the lab's pictures, one set asks to be named wherever it is shown; all are. */
const artCredit = html`<p>The lab's pictures contain icons of Noto Emoji (© Google LLC, Apache-2.0), Fluent Emoji (© Microsoft Corporation, MIT) and Twemoji (© Twitter, Inc and other contributors, CC BY 4.0), recoloured and composed; see Touchstone's NOTICE.</p>
`;

/**
 * The report of a prototypicality run as one self-contained HTML file. Pure: the same report gives
 * the same text.
 */
export async function renderPrototypicalityReport(report: PrototypicalityReport): Promise<string> {
  return page({
    title: `Prototypicality report: ${report.name}`,
    opening: opening(report),
    sections: [
      { id: "failures", title: "Failure rates", body: await failures(report) },
      { id: "filters", title: "With and without filters", body: await filters(report) },
      { id: "scores", title: "Scores and margins", body: await scores(report) },
      { id: "cards", title: "Pairs to look at", body: cards(report) },
      { id: "unscored", title: "What has no answer", body: unanswered(report) },
      { id: "methods", title: "How every number was made", body: methods(report) },
    ],
    closing: html`${report.fromLab && artCredit}<p>Made by touchstone-t2i. This file asks nothing of a network and runs no script.</p>`,
  });
}
