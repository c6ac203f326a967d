import type {
  ContrastiveConclusion,
  ContrastiveMetric,
  ContrastiveSummary,
} from "../../analysis/pairs/contrastive.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import { boundNoteWithMeans } from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import type { ContrastiveVerdict } from "./verdict.js";

export const contrastiveView = (
  found: ContrastiveConclusion & ContrastiveVerdict,
): ViewWithData => ({
  verdict: found.verdict,
  findings: found.findings,
  tables: [failures(found), means(found), margins(found)],
  data: data(found),
  caveats: found.warnings,
  method: `Brackets hold intervals: ${found.intervals.text}.${found.weighted === undefined ? "" : ` ${found.weighted}`}`,
});

const failures = (found: ContrastiveConclusion) =>
  table(found, {
    title: "How often the wrong image is preferred",
    columns: [
      countColumn("n"),
      countColumn("unscored"),
      countColumn("ties"),
      percentColumn("failure rate, %"),
      percentColumn("without ties, %"),
      percentColumn("bounds, %"),
    ],
    cells: ({ n, unscored, ties, failureRate, strictFailureRate, bounds }) => [
      ...[n, unscored, ties, failureRate, { ...strictFailureRate, low: null, high: null }],
      unscored === 0 ? null : bounds,
    ],
    note:
      `A tie is a failure (${tieText(found.tieTolerance)}); without ties, only where the wrong ` +
      "image scores better. " +
      `Bounds: the failure rate had all unscored rows passed, and had all failed. ${boundNoteWithMeans}`,
  });

const means = (found: ContrastiveConclusion) =>
  table(found, {
    title: `Mean scores, ${unitOf(found)} (${found.direction === "higher" ? "more" : "less"} is better)`,
    columns: ["correct", "adversarial", "difference"].map((title) => numberColumn(title)),
    cells: ({ meanCorrect, meanAdversarial, difference }) => [
      ...[meanCorrect, meanAdversarial, difference],
    ],
    note: "Difference: correct minus adversarial.",
  });

const margins = (found: ContrastiveConclusion) =>
  table(found, {
    title: `Margins, ${unitOf(found)}`,
    columns: [numberColumn("where right"), numberColumn("where wrong")],
    cells: ({ correctMargin, incorrectMargin }) => [correctMargin, incorrectMargin],
    note:
      "By how much the better of the two scores wins, where the ranking is right and where it is " +
      "wrong (ties count as 0). –: undefined, --json says why.",
  });

function table(
  { metrics }: ContrastiveConclusion,
  {
    columns,
    cells,
    ...rest
  }: Pick<ViewTable, "title" | "note"> & {
    readonly columns: readonly ViewColumn[];
    readonly cells: (summary: ContrastiveSummary) => readonly Cell[];
  },
): ViewTable {
  return {
    ...rest,
    columns: [textColumn("metric", { isGroup: true }), textColumn("domain"), ...columns],
    rows: Object.entries(metrics).flatMap(([metric, each]) =>
      namedSummaries(each).map(([domain, summary]) => [metric, domain, ...cells(summary)]),
    ),
  };
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

function unitOf({ scale }: ContrastiveConclusion): string {
  if (scale === "none") return "in each metric's own unit";
  return scale === "range"
    ? "where 0 and 1 are the ends of the metric's range"
    : "where 0 and 1 are the metric's lowest and highest score here";
}

const rates = ["failureRate", "strictFailureRate"] as const;
const scores = [
  ...([
    "meanCorrect",
    "meanAdversarial",
    "difference",
    "correctMargin",
    "incorrectMargin",
  ] as const),
];

/** A row for each metric and scope (overall, macro, a domain); shares from 0 to 1. */
const data = ({ metrics }: ContrastiveConclusion): ViewWithData["data"] => ({
  columns: [
    ...["metric", "scope", "domain"].map((id) => textColumn(id)),
    ...["n", "unscored", "ties"].map((id) => countColumn(id)),
    ...rates.map((id) => percentColumn(id, { spread: "interval" })),
    ...scores.map((id) => numberColumn(id, { spread: "interval" })),
    percentColumn("bounds", { spread: "range" }),
  ],
  rows: Object.entries(metrics).flatMap(([metric, { overall, macro, domains }]) =>
    [
      { scope: "overall", domain: "", summary: overall },
      { scope: "macro", domain: "", summary: macro },
      ...Object.entries(domains).map(([domain, summary]) => ({ scope: "domain", domain, summary })),
    ].map(({ scope, domain, summary }) => [
      ...[metric, scope, domain, summary.n, summary.unscored, summary.ties],
      ...[...rates, ...scores].map((name) => summary[name]),
      summary.bounds,
    ]),
  ),
});
