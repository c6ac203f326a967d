import { tieText } from "../../analysis/pairs/score-ties.js";
import type { SwapTestConclusion } from "../../analysis/pairs/swap-test.js";
import { boundNote } from "../../views/number-text.js";
import {
  countColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import type { SwapVerdict } from "./verdict.js";

export const swapView = (found: SwapTestConclusion & SwapVerdict): ViewWithData => ({
  verdict: found.verdict,
  findings: found.findings,
  tables: [rates(found)],
  data: data(found),
  caveats: found.warnings,
  method: `Brackets hold intervals: ${found.intervals.text}.`,
});

const rates = ({ metrics, tieTolerance }: SwapTestConclusion): ViewTable => ({
  title: "How often the swapped description is preferred",
  columns: [
    textColumn("rows", { isGroup: true }),
    textColumn("metric"),
    countColumn("n"),
    countColumn("unscored"),
    percentColumn("fails, %"),
    percentColumn("ties, %"),
    percentColumn("fails + ½ ties, %"),
    percentColumn("bounds, %"),
  ],
  rows: Object.entries(metrics).map(([metric, { n, unscored, bounds, ...found }]) => [
    ...["each scored against its description and the swapped one", metric, n, unscored],
    ...[found.failureRate, found.tieRate.value, found.failuresAndHalfTies.value],
    unscored === 0 ? null : bounds,
  ]),
  note:
    `A failure is a swapped description that scores better; ties stand apart (${tieText(tieTolerance)}). ` +
    "A constant metric ties everywhere: 50 % with half the ties. Bounds: the failure rate if no " +
    `unscored row failed, and if all did. ${boundNote}`,
});

const shares = ["failureRate", "tieRate", "failuresAndHalfTies", "difference"] as const;

/** A row for each metric; shares from 0 to 1. */
const data = ({ metrics }: SwapTestConclusion): ViewWithData["data"] => ({
  columns: [
    textColumn("metric"),
    ...["n", "unscored", "failures", "ties"].map((id) => countColumn(id)),
    ...shares.map((id) => percentColumn(id, { spread: "interval" })),
    percentColumn("bounds", { spread: "range" }),
  ],
  rows: Object.entries(metrics).map(([metric, found]) => [
    ...[metric, found.n, found.unscored, found.failures, found.ties],
    ...shares.map((name) => found[name]),
    found.bounds,
  ]),
});
