import { metricOf } from "../../analysis/inference/metric-name.js";
import type { ConfusionReport } from "../../benchmarks/attribute-confusion/conclusion.js";
import { boundNote } from "../../views/number-text.js";
import {
  boundsText,
  standingOf,
  swapCells,
  swapColumns,
  swapFigure,
} from "../sections/swap-test-section.js";
import type { OverviewTable, RunOverview } from "./run-overview.js";

/** The swap test: every metric over all images, by generator and by set of descriptions. */
export const confusionOverview = (report: ConfusionReport): RunOverview => ({
  figure: swapFigure(report),
  tables: [
    swapTable(report, undefined),
    swapTable(report, { part: "generators", facet: "generator", title: "generator" }),
    swapTable(report, { part: "sets", facet: "domain", title: "set of descriptions" }),
  ].filter(({ rows }) => rows.length > 0),
});

interface Part {
  readonly part: "generators" | "sets";
  readonly facet: "generator" | "domain";
  readonly title: string;
}

function swapTable(report: ConfusionReport, by: Part | undefined): OverviewTable {
  const [headline] = report.selections;
  const [, ...numbers] = swapColumns(report);
  return {
    title: `Swap test, ${headline.name}${by === undefined ? "" : `, by ${by.title}`}`,
    columns: [
      { title: "metric" },
      { title: "model" },
      ...(by === undefined ? [] : [{ title: by.title }]),
      ...numbers.map(({ title }) => ({ title, align: "right" as const })),
    ],
    rows: standingOf(report, headline).flatMap(([id, results]) => {
      const { metric, model } = metricOf({ metrics: report.standing }, id);
      if (by === undefined) {
        return [
          { facets: { metric, model }, cells: [metric, model, ...swapCells(results.overall)] },
        ];
      }
      return Object.entries(results[by.part]).map(([whole, summary]) => {
        const of = whole.replace(/@.*$/, "");
        return {
          facets: { metric, model, [by.facet]: of },
          cells: [metric, model, of, ...swapCells(summary)],
        };
      });
    }),
    note: `Shares of n images ${headline.description}, [95 % interval]; ${boundsText(report)} ${boundNote}`,
  };
}
