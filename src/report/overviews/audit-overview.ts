import type { AuditReport } from "../../benchmarks/stereotypes/conclusion.js";
import { countText, estimateText } from "../../views/number-text.js";
import { numberColumns, type TextTable } from "../../views/text-table.js";
import type { OverviewTable, RunOverview } from "../benchmarks/overview.js";
import { auditFigure } from "../pages/audit-sections.js";
import { readableStereotypes } from "../text/stereotypes-text.js";

/** The index by category and generator; before and after where prompts were refined. */
export function auditOverview(report: AuditReport): RunOverview {
  const [index] = report.isRefined ? readableStereotypes(report.conclusion).tables : [];
  return {
    figure: auditFigure(report),
    tables: [index === undefined ? initialTable(report) : indexTable(index)],
  };
}

/** Its rows say their category once; those about all of one kind are of none. */
function indexTable({ title, columns, rows, note }: TextTable): OverviewTable {
  let category = "";
  return {
    title,
    columns: columns.map(({ title, align }) => ({
      title: title === "model" ? "generator" : title,
      ...(align === "right" ? { align } : {}),
    })),
    rows: rows.map(([first = "", generator = "", ...cells]) => {
      if (first !== "") category = first;
      return { facets: { category, generator }, cells: [category, generator, ...cells] };
    }),
    note,
  };
}

const initialTable = ({ initial }: AuditReport): OverviewTable => ({
  title: "Social Stereotype Index",
  columns: [{ title: "category" }, { title: "generator" }, ...numberColumns("sets", "index")],
  rows: initial.map(({ category, model, index: { n, mean } }) => {
    const facets = { category: category ?? "all categories", generator: model ?? "all" };
    return {
      facets,
      cells: [facets.category, facets.generator, countText(n), estimateText(mean)],
    };
  }),
  note: "The share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over sets, [95 % interval].",
});
