import type { SanityState } from "../../../analysis/sanity/sanity-finding.js";
import type { Json } from "../../../core/json.js";
import type { ScoreResult } from "../../../metrics/score-picture.js";
import { setOwn } from "../../../tables/blank-row.js";
import { number3 } from "../../terminal/numbers.js";
import { type Column, table } from "../../terminal/terminal-table.js";
import type { ScoreItem } from "./score-item.js";

/** One line of what `score` writes: flat, the same members for scored and unscored. */
export type ResultRow = Readonly<Record<string, Json>>;

/**
 * A result as a line; `value` is null where unscored. The table's other columns follow.
 *
 * @param sanity what was found of the metric and its model
 */
export function resultRow(
  { image, text, others }: ScoreItem,
  result: ScoreResult,
  sanity: SanityState,
): ResultRow {
  const scored = result.status === "scored";
  const row: Record<string, Json> = {
    image,
    text,
    metric: result.metric,
    status: result.status,
    value: scored ? result.value : null,
    reason: scored ? null : result.reason,
    detail: scored ? null : result.detail,
    question: scored ? (result.question ?? null) : null,
    details: scored ? (result.details ?? null) : null,
    convention: result.convention ?? null,
    template: result.template ?? null,
    statistic: result.statistic,
    model: result.model,
    baseUrl: result.baseUrl ?? null,
    metricVersion: result.metricVersion,
    low: result.range[0],
    high: result.range[1],
    direction: result.direction,
    sanity,
  } satisfies Record<OwnColumn, Json>;
  for (const [name, value] of Object.entries(others)) setOwn(row, keptName(name), value);
  return row;
}

const ownColumns = [
  "image",
  "text",
  "metric",
  "status",
  "value",
  "reason",
  "detail",
  "question",
  "details",
  "convention",
  "template",
  "statistic",
  "model",
  "baseUrl",
  "metricVersion",
  "low",
  "high",
  "direction",
  "sanity",
] as const;
type OwnColumn = (typeof ownColumns)[number];

/** Every column of results; `others` are those of the table beside image and text. */
export const resultColumns = (others: Iterable<string>): string[] => [
  ...ownColumns,
  ...new Set([...others].map(keptName)),
];

/** A column of the table whose name a result takes is kept as `input_…`. */
const keptName = (name: string) => (isOwn.has(name) ? `input_${name}` : name);

const isOwn: ReadonlySet<string> = new Set(ownColumns);

/** Results one by one, for people; with the models (and their addresses) where one metric has several. */
export function resultsText(rows: readonly ResultRow[], width: number): string {
  const metrics = new Set(rows.map(({ metric }) => metric));
  const pairs = new Set(rows.map(({ metric, model }) => `${metric} ${model}`));
  const placed = new Set(rows.map(({ metric, model, baseUrl }) => `${metric} ${model} ${baseUrl}`));
  const names = [
    ...["image", "text", "metric"],
    ...(placed.size > metrics.size ? ["model"] : []),
    ...(placed.size > pairs.size ? ["baseUrl"] : []),
  ];
  const columns: Column[] = [
    ...names.map((title) => ({ title })),
    { title: "score", align: "right", isEssential: true },
  ];
  return table(
    columns,
    rows.map((row) => [...names.map((name) => String(row[name])), scoreText(row)]),
    width,
  );
}

const scoreText = ({ value, reason }: ResultRow) =>
  typeof value === "number" ? number3(value) : `unscored: ${reason}`;
