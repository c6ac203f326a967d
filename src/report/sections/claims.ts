import type { ClaimFinding, ClaimOutcome } from "../../analysis/claims.js";
import { above, dataTable, type Row } from "../data-table.js";
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
  const tried = findings.filter(({ n }) => n > 0);
  const others = findings.filter(({ n }) => n === 0);
  return html`<p class="prose">What ${paper} says of its metrics and images, tried on these: ${count("holds")} hold, ${count("fails")} fail, ${count("undecided")} are undecided. A claim holds where the whole 95 % interval of what was measured lies on the side that it expects, and fails where it lies on the other; nothing is corrected for how many claims there are. That one fails here says nothing about the models and images of the paper.</p>
${
  tried.length > 0 &&
  dataTable({
    name: "Claims",
    caption: html`<b>Claims</b> in our words, with what was measured here, [95 % interval] or (one-sided bound).`,
    columns: [
      { title: "claim" },
      { title: "measured" },
      { title: "here", kind: "short" },
      { title: "estimate", kind: "number" },
      { title: "expected", kind: "short" },
      { title: "n", kind: "number" },
    ],
    rows: tried.map((finding, at) => ({
      ...headingOf(finding, tried[at - 1]),
      cells: [
        html`<small>${finding.measured}</small>`,
        mark(finding.outcome),
        estimateWithBound(finding),
        `${finding.expected} ${fixedText(finding.threshold, Number.isInteger(finding.threshold) ? 0 : 2)}`,
        countText(finding.n),
      ],
    })),
  })
}
${
  others.length > 0 &&
  html`<details class="plain"><summary>Claims that this run can't decide (${countText(others.length)})</summary>
<ul class="small">${others.map(({ statement, source, reason }) => html`<li>${statement} (${source}): undecided, ${reason}</li>`)}</ul>
</details>`
}`;
}

/** Of several models a claim is told once. */
const headingOf = (
  { statement, source }: ClaimFinding,
  before: ClaimFinding | undefined,
): Pick<Row, "heading" | "rule"> =>
  before?.statement === statement
    ? { heading: above }
    : { heading: html`${statement}<span class="model">${source}</span>`, rule: true };

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
