import type { PublishedStereotypes } from "../../benchmarks/stereotypes/published.js";
import { countText, fixedText } from "../../views/number-text.js";
import { type Column, dataTable } from "../pages/data-table.js";
import { type Html, html } from "../pages/html.js";

const otherwise = "other models, other images, another judge";

/** The paper's index before and after (table 4), shown apart, so that nobody compares line with line. */
export function publishedIndex({ paper, index }: PublishedStereotypes): Html {
  const name = `The paper's index: ${otherwise}`;
  return dataTable({
    name,
    caption: html`<b>${name}.</b> ${paper}, ${index.source}; fall in percent of the index before, t of its paired test. Figures are rounded apart, so "all" need not be the mean of the three.`,
    columns: [
      { title: "category", kind: "short" },
      { title: "queries", kind: "number" },
      ...phaseColumns(index.rows),
      { title: "fall (%)", kind: "number" },
      { title: "t", kind: "number" },
    ],
    rows: index.rows.map((row) => ({
      heading: row.category,
      cells: [
        countText(row.queries),
        ...phaseCells(row),
        fixedText(row.drop, 2),
        fixedText(row.t, 2),
      ],
    })),
  });
}

/** How often the paper's judge was right by two of its authors (table 3). */
export function publishedJudge({ paper, judge }: PublishedStereotypes): Html {
  const name = `The paper's judge beside experts: ${otherwise}`;
  return dataTable({
    name,
    caption: html`<b>${name}.</b> ${paper}, ${judge.source}: accuracy in percent. The text says ${fixedText(judge.mean, 2)} % on average.`,
    columns: [{ title: "category", kind: "short" }, ...phaseColumns(judge.rows)],
    rows: judge.rows.map((row) => ({ heading: row.category, cells: phaseCells(row) })),
  });
}

type Published = PublishedStereotypes["judge"]["rows"][number];

const groupsOf = ({ models, overall }: Omit<Published, "category">) =>
  Object.entries({ ...models, all: overall });

const phaseColumns = (rows: readonly Published[]): Column[] =>
  rows
    .slice(0, 1)
    .flatMap(groupsOf)
    .flatMap(([group]) =>
      ["before", "after"].map((title): Column => ({ title, kind: "number", group })),
    );

const phaseCells = (row: Published): string[] =>
  groupsOf(row).flatMap(([, { initial, refined }]) =>
    [initial, refined].map((value) => fixedText(value, 2)),
  );
