import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { type Html, html } from "../pages/html.js";
import { reportVerdict } from "../verdicts/report-verdict.js";
import { labNotice } from "./lab-notice.js";

/** The verdict in words, of which pairs it speaks, and what the lab's pictures are not. */
export function opening(report: PrototypicalityReport): Html {
  const [selection] = report.selections;
  const [lead = "", ...others] = reportVerdict(report);
  return html`<h1>Prototypicality report: ${report.name}</h1>
<p class="lead">${lead}</p>
${others.length > 0 && html`<ul class="also">${others.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<p class="small">Of the pairs ${selection.description}. Brackets hold 95 % intervals, clustered by prompt.</p>
${report.fromLab && labNotice}`;
}
