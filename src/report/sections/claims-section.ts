import {
  type ClaimOutcome,
  type ClaimScale,
  claimRule,
  familyOf,
  type TestedFinding,
} from "../../analysis/inference/claims.js";
import { unitsText } from "../../analysis/inference/intervals.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  probabilityText,
} from "../../views/number-text.js";
import { dataTable, type Row } from "../pages/data-table.js";
import { type Html, html } from "../pages/html.js";

/** The claims of a paper with what this run says of them. */
export function claims({
  paper,
  findings,
}: {
  readonly paper: string;
  readonly findings: readonly TestedFinding[];
}): Html {
  const count = (outcome: ClaimOutcome) =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const tried = findings.filter(({ n }) => n > 0);
  const others = findings.filter(({ n }) => n === 0);
  return html`<p class="prose">What ${paper} claims, tried on the images of this run: ${count("holds")} hold, ${count("fails")} fail, ${count("undecided")} are undecided. ${claimRule(findings)} A claim that holds may be that a metric fails. That a claim fails here says nothing about the models and images of the paper.</p>
${
  tried.length > 0 &&
  dataTable({
    name: "Claims",
    caption: html`<b>Claims</b> in our words, with what was measured here, [95 % interval] or (one-sided bound); n counts images, pairs or answers, which come from so many ${unitOf(tried)} (of an effect, its controls, too); p is that of the exact test: of differences their sums by ${unitOf(tried, 1)} with signs turned, of an effect which pair of a prompt is the triplet, of a share the binomial test with each ${unitOf(tried, 1)} as one draw, of correlations the two metrics' scores swapped.`,
    columns: [
      { title: "measured" },
      { title: "here" },
      { title: "estimate", kind: "number" },
      { title: "expected", kind: "short" },
      { title: "n", kind: "number" },
      { title: unitOf(tried), kind: "number" },
      { title: "exact p", kind: "number" },
      { title: `adjusted p (${familyOf(findings)} tests)`, kind: "number" },
    ],
    rows: tried.map((finding, at) => ({
      ...aboutOf(finding, tried[at - 1]),
      heading: html`<small>${finding.measured}</small>`,
      cells: [
        html`${mark(finding.outcome)}${finding.reason !== undefined && html`<span class="model">${finding.reason}</span>`}`,
        `${isShare(finding) ? percentText(finding.estimate) : estimateText(finding.estimate)} ${units[finding.scale]}`,
        `${finding.expected} ${thresholdText(finding)}`,
        countText(finding.n),
        countText(finding.clusters),
        probabilityText(finding.p ?? null),
        probabilityText(finding.pAdjusted ?? null),
      ],
    })),
  })
}
${
  others.length > 0 &&
  html`<details class="plain"><summary>Claims that this run can't decide (${countText(others.length)})</summary>
<ul class="small">${others.map(({ statement, source, reason }) => html`<li>${statement}: undecided, ${reason}. Source: ${source}</li>`)}</ul>
</details>`
}`;
}

/** States a claim once for several models. */
const aboutOf = (
  { statement, source, caveat }: TestedFinding,
  before: TestedFinding | undefined,
): Pick<Row, "about"> =>
  before?.statement === statement
    ? {}
    : {
        about: html`${statement}<span class="model">${source}</span>${caveat !== undefined && html`<span class="model">${caveat}</span>`}`,
      };

const units: Readonly<Record<ClaimScale, string>> = {
  share: "%",
  "difference of shares": "points",
  score: "score",
  index: "index",
  seconds: "s",
  correlation: "ρ",
};

const isShare = ({ scale }: TestedFinding) => units[scale] === "%" || units[scale] === "points";

function thresholdText(finding: TestedFinding): string {
  const threshold = finding.threshold * (isShare(finding) ? 100 : 1);
  return fixedText(threshold, Number.isInteger(threshold) ? 0 : 2);
}

/** A paper's claims are all about prompts, or all about descriptions. */
const unitOf = ([first]: readonly TestedFinding[], count = 2) =>
  unitsText(count, first?.clusteredBy ?? "prompt").replace(/^\S+ /, "");

/** Names the claim and has no tick: one that holds may be that a metric fails. */
const mark = (outcome: ClaimOutcome): Html =>
  outcome === "undecided"
    ? html`<span class="open">– undecided</span>`
    : html`<b class="short">claim ${outcome}</b>`;
