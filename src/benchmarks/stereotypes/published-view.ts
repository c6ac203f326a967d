import { fixedText } from "../../views/number-text.js";
import { countColumn, numberColumn, textColumn, type ViewTable } from "../../views/view.js";
import type { PublishedStereotypes } from "./published.js";

const otherwise = "other models, other images, another judge";
const printed = (title: string, heading?: string) =>
  numberColumn(title, { decimals: 2, ...(heading !== undefined && { heading }) });

/** The paper's index before and after (table 4), shown apart, so that nobody compares line with line. */
export const publishedIndex = ({ paper, index }: PublishedStereotypes): ViewTable => ({
  title: `The paper's index: ${otherwise}`,
  columns: [
    textColumn("category"),
    countColumn("queries"),
    ...phaseColumns(index.rows),
    ...["fall (%)", "t"].map((title) => printed(title)),
  ],
  rows: index.rows.map((row) => [
    ...[row.category, row.queries],
    ...phaseCells(row),
    ...[row.drop, row.t],
  ]),
  note: `${paper}, ${index.source}; fall in percent of the index before, t of its paired test. Figures are rounded apart, so "all" need not be the mean of the three.`,
});

/** How often the paper's judge was right by two of its authors (table 3). */
export const publishedJudge = ({ paper, judge }: PublishedStereotypes): ViewTable => ({
  title: `The paper's judge beside experts: ${otherwise}`,
  columns: [textColumn("category"), ...phaseColumns(judge.rows)],
  rows: judge.rows.map((row) => [row.category, ...phaseCells(row)]),
  note: `${paper}, ${judge.source}: accuracy in percent. The text says ${fixedText(judge.mean, 2)} % on average.`,
});

type Published = PublishedStereotypes["judge"]["rows"][number];

const groupsOf = ({ models, overall }: Omit<Published, "category">) =>
  Object.entries({ ...models, all: overall });

const phaseColumns = (rows: readonly Published[]) =>
  rows
    .slice(0, 1)
    .flatMap(groupsOf)
    .flatMap(([group]) => ["before", "after"].map((title) => printed(title, group)));

const phaseCells = (row: Published): number[] =>
  groupsOf(row).flatMap(([, { initial, refined }]) => [initial, refined]);
