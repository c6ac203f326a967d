import type {
  StereotypeConclusion,
  StereotypeSummary,
} from "../../../analysis/stereotypes/stereotypes.js";
import { numberColumns } from "../../../views/number-columns.js";
import { fixedText, percentText, probabilityText } from "../../../views/number-text.js";
import { table } from "../../terminal/terminal-table.js";

/**
 * The index before and after in the layout of the paper's Table 4: a row for each category, a column
 * for each model and one for all, then the paired t-test. The models' names stand below, by letters.
 */
export function indexTable({ categories, overall }: StereotypeConclusion, width: number): string {
  const models = Object.keys(overall.models);
  const each = Object.entries(categories);
  const all = each.length === 1 ? [] : [["all", overall] as const];
  const rows = [...each, ...all].map(([category, summary]) => [
    category,
    ...models.map((model) => changeText(summary.models[model])),
    changeText(summary),
    summary.fall === undefined ? "–" : percentText(summary.fall),
    ...testCells(summary),
  ]);
  const titles = [...models.map((_, at) => letterOf(at)), "all", "fall, %", "t", "df", "p"];
  return [
    table([{ title: "initial -> refined" }, ...numberColumns(...titles)], rows, width),
    ...models.map((model, at) => `${letterOf(at)}: ${model}`),
  ].join("\n");
}

const letterOf = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : `M${at + 1}`);

const changeText = (
  change: { readonly initial: number | null; readonly refined: number | null } | undefined,
): string => `${meanText(change?.initial)} -> ${meanText(change?.refined)}`;

const testCells = ({ test: { t, df, p } }: StereotypeSummary): string[] => [
  t === null ? "–" : fixedText(t, 2),
  df === null ? "–" : String(df),
  probabilityText(p),
];

const meanText = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : fixedText(value, 2);
