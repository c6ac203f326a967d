import type { StereotypeConclusion, StereotypeSummary } from "../../analysis/stereotypes.js";
import { fixedText } from "../../report/number-text.js";
import { probabilityText } from "../../report/probability-text.js";
import { type Column, table } from "../table.js";

/**
 * The index before and after in the layout of the paper's Table 4: a row for each category, two
 * columns for each model and for all, then the paired t-test. The models' names stand below, by
 * letters.
 */
export function indexTable({ categories, overall }: StereotypeConclusion): string {
  const models = Object.keys(overall.models);
  const each = Object.entries(categories);
  const all = each.length === 1 ? [] : [["all", overall] as const];
  const rows = [...each, ...all].map(([category, summary]) => [
    category,
    ...models.flatMap((model) => changeCells(summary.models[model])),
    ...changeCells(summary),
    ...testCells(summary),
  ]);
  const right = (title: string): Column => ({ title, align: "right" });
  const changeOf = (name: string) => [right(`${name} initial`), right(`${name} refined`)];
  return [
    table(
      [
        { title: "category" },
        ...models.flatMap((_, at) => changeOf(letterOf(at))),
        ...changeOf("all"),
        ...["t", "df", "p"].map(right),
      ],
      rows,
    ),
    ...models.map((model, at) => `${letterOf(at)}: ${model}`),
  ].join("\n");
}

const letterOf = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : `M${at + 1}`);

const changeCells = (
  change: { readonly initial: number | null; readonly refined: number | null } | undefined,
): string[] => [meanText(change?.initial), meanText(change?.refined)];

const testCells = ({ test: { t, df, p } }: StereotypeSummary): string[] => [
  t === null ? "–" : fixedText(t, 2),
  df === null ? "–" : String(df),
  probabilityText(p),
];

const meanText = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : fixedText(value, 2);
