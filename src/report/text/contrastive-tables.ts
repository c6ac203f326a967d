import type {
  ContrastiveConclusion,
  ContrastiveMetric,
  ContrastiveSummary,
} from "../../analysis/pairs/contrastive.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import { numberColumns } from "../../views/number-columns.js";
import {
  boundNoteWithMeans,
  countText,
  estimateText,
  percentText,
} from "../../views/number-text.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";
import type { ContrastiveVerdict } from "../verdicts/contrastive-verdict.js";

/** A contrastive conclusion as people read it. */
export function readableContrastive(
  conclusion: ContrastiveConclusion,
  verdict: ContrastiveVerdict,
): ReadableConclusion {
  return {
    ...verdict,
    tables: contrastiveTables(conclusion),
    warnings: conclusion.warnings,
    method: `Brackets hold intervals: ${conclusion.intervals.text}.`,
  };
}

/** Failures, scores and margins of a contrastive conclusion, as people read them. */
function contrastiveTables(conclusion: ContrastiveConclusion): TextTable[] {
  const better = `${conclusion.direction === "higher" ? "more" : "less"} is better`;
  return [
    {
      title: "How often the wrong image is preferred",
      columns: columnsOf([
        "n",
        "unscored",
        "ties",
        "failure rate, %",
        "without ties, %",
        "bounds, %",
      ]),
      rows: rowsOf(conclusion, (summary) => [
        countText(summary.n),
        countText(summary.unscored),
        countText(summary.ties),
        percentText(summary.failureRate),
        percentText({ ...summary.strictFailureRate, low: null, high: null }),
        boundsText(summary),
      ]),
      note:
        `A tie is a failure (${tieText(conclusion.tieTolerance)}); without ties, only where the wrong ` +
        "image scores better. " +
        `Bounds: the failure rate had all unscored rows passed, and had all failed. ${boundNoteWithMeans}`,
    },
    {
      title: `Mean scores, ${unitOf(conclusion)} (${better})`,
      columns: columnsOf(["correct", "adversarial", "difference"]),
      rows: rowsOf(conclusion, (summary) => [
        estimateText(summary.meanCorrect),
        estimateText(summary.meanAdversarial),
        estimateText(summary.difference),
      ]),
      note: "Difference: correct minus adversarial.",
    },
    {
      title: `Margins, ${unitOf(conclusion)}`,
      columns: columnsOf(["where right", "where wrong"]),
      rows: rowsOf(conclusion, (summary) => [
        estimateText(summary.correctMargin),
        estimateText(summary.incorrectMargin),
      ]),
      note:
        "By how much the better of the two scores wins, where the ranking is right and where it is " +
        "wrong (ties count as 0). –: undefined, --json says why.",
    },
  ];
}

/** A metric's summaries under the names that tables give them. */
export function namedSummaries({
  overall,
  macro,
  domains,
}: ContrastiveMetric): (readonly [name: string, summary: ContrastiveSummary])[] {
  const each = Object.entries(domains);
  return each.length === 1 ? each : [["all domains", overall], ["mean of domains", macro], ...each];
}

const columnsOf = (titles: readonly string[]): TextTable["columns"] => [
  { title: "metric" },
  { title: "domain" },
  ...numberColumns(...titles),
];

const rowsOf = (
  { metrics }: ContrastiveConclusion,
  cells: (summary: ContrastiveSummary) => readonly string[],
) =>
  Object.entries(metrics).flatMap(([metric, each]) =>
    namedSummaries(each).map(([domain, summary], at) => [
      at === 0 ? metric : "",
      domain,
      ...cells(summary),
    ]),
  );

function unitOf({ scale }: ContrastiveConclusion): string {
  if (scale === "none") return "in each metric's own unit";
  return scale === "range"
    ? "where 0 and 1 are the ends of the metric's range"
    : "where 0 and 1 are the metric's lowest and highest score here";
}

function boundsText({ unscored, bounds: { low, high } }: ContrastiveSummary): string {
  if (unscored === 0 || low === null || high === null) return "–";
  return `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)}`;
}
