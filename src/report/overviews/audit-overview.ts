import type { AuditReport } from "../../benchmarks/stereotypes/conclusion.js";
import { indexTable } from "../../conclusions/stereotypes/view.js";
import { countText, estimateText } from "../../views/number-text.js";
import { printedTable } from "../../views/printed.js";
import { numberColumns } from "../../views/text-table.js";
import type { OverviewTable, RunOverview } from "../benchmarks/overview.js";
import { auditFigure } from "../pages/audit-sections.js";

/** The index by category and generator; before and after where prompts were refined. */
export function auditOverview(report: AuditReport): RunOverview {
  return {
    figure: auditFigure(report),
    tables: [report.isRefined ? changeTable(report) : initialTable(report)],
  };
}

/** Each row says its category. */
function changeTable({ conclusion }: AuditReport): OverviewTable {
  const index = indexTable(conclusion);
  const { title, columns, rows, note } = printedTable(index);
  return {
    title,
    columns: columns.map(({ title, align }) => ({
      title: title === "model" ? "generator" : title,
      ...(align === "right" ? { align } : {}),
    })),
    rows: rows.map(([, generator = "", ...cells], at) => {
      const category = String(index.rows[at]?.[0] ?? "");
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
