import type { ClaimFinding, ClaimOutcome } from "../../analysis/claims.js";
import { dataTable } from "../data-table.js";
import { type Html, html } from "../html.js";
import { boundText, countText, estimateText, fixedText } from "../number-text.js";

/** The claims of a paper with what this run says of them. */
export function claims({
  paper,
  findings,
}: {
  readonly paper: string;
  readonly findings: readonly ClaimFinding[];
}): Html {
  const count = (outcome: ClaimOutcome) =>
    findings.filter((finding) => finding.outcome === outcome).length;
  return html`<p class="prose">What ${paper} says of its metrics and images, tried on these: ${count("holds")} hold, ${count("fails")} fail, ${count("undecided")} are undecided. A claim holds where the whole 95 % interval of what was measured lies on the side that it expects, and fails where it lies on the other. Claims are not corrected for their number. That one fails here says nothing about the models and images of the paper.</p>
${dataTable({
  name: "Claims",
  caption: html`<b>Claims</b> of the paper, in our words, with what was measured, [95 % interval], and n images or pairs.`,
  columns: [
    { title: "claim" },
    { title: "here", kind: "short" },
    { title: "measured" },
    { title: "expected", kind: "short" },
    { title: "estimate", kind: "number" },
    { title: "n", kind: "number" },
  ],
  rows: findings.map((finding) => ({
    heading: html`${finding.statement}<span class="model">${finding.source}</span>`,
    cells: [
      html`${mark(finding.outcome)}${finding.reason !== undefined && html`<span class="model">${finding.reason}</span>`}`,
      finding.measured,
      `${finding.expected} ${fixedText(finding.threshold, Number.isInteger(finding.threshold) ? 0 : 2)}`,
      estimateWithBound(finding),
      countText(finding.n),
    ],
  })),
})}`;
}

function estimateWithBound({ estimate }: ClaimFinding): string {
  const { value, oneSided } = estimate;
  if (value === null || oneSided === undefined) return estimateText(estimate);
  return `${fixedText(value, 2)} (${boundText(value, oneSided, (end) => fixedText(end, 3))})`;
}

function mark(outcome: ClaimOutcome): Html {
  if (outcome === "holds") return html`<span class="right">✓ holds</span>`;
  if (outcome === "fails") return html`<span class="wrong">✗ fails</span>`;
  return html`<span class="open">– undecided</span>`;
}
