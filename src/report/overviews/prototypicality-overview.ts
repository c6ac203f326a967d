import { metricOf } from "../../analysis/inference/metric-name.js";
import type { PrototypicalityReport } from "../../benchmarks/prototypicality/conclusion.js";
import { emptyFigure } from "../../views/figures/figure.js";
import { boundNote } from "../../views/number-text.js";
import { pairKinds } from "../plots/failure-rates.js";
import { type Banded, bandedByDomain, bandedByKnob, comparedCells } from "../sections/failures.js";
import { openingFigure } from "../sections/opening.js";
import type { OverviewTable, RunOverview } from "./run-overview.js";

/** The rates that the verdict speaks of, and every metric's by domain and by error type. */
export const prototypicalityOverview = (report: PrototypicalityReport): RunOverview => ({
  figure: openingFigure(report) ?? emptyFigure("Failure rate by metric", "no pair has both scores"),
  tables: [
    failureTable(report, { by: "domain", banded: bandedByDomain(report) }),
    failureTable(report, { by: "errorType", banded: bandedByKnob(report) }),
  ].filter(({ rows }) => rows.length > 0),
});

const byText = { domain: "domain", errorType: "error type" } as const;

function failureTable(
  report: PrototypicalityReport,
  { by, banded }: { readonly by: keyof typeof byText; readonly banded: readonly Banded[] },
): OverviewTable {
  const number = { align: "right" } as const;
  return {
    title: `Failure rates by ${byText[by]}`,
    columns: [
      { title: byText[by] },
      { title: "metric" },
      { title: "model" },
      ...pairKinds.flatMap(({ name: group }) => [
        { title: "failure rate (%)", group, ...number },
        { title: "n", group, ...number },
      ]),
      { title: "effect (points)", ...number },
    ],
    rows: banded.map(({ band, metric: id, is }) => {
      const { metric, model } = metricOf(report, id);
      return {
        facets: { [by]: band, metric, model },
        cells: [band, metric, model, ...comparedCells(is)],
      };
    }),
    note: `In percent, [95 % interval]. Effect: failure rate of the triplets minus that of both controls together. ${boundNote}`,
  };
}
