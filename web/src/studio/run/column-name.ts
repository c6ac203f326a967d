import type { ScoreColumn, TextKind } from "../../../../src/studio/api.js";

export const againstText: Readonly<Record<TextKind, string>> = {
  own: "its own prompt",
  prompt: "the benchmark's text",
  swapped: "attributes swapped",
  other: "another text",
};

/** What a metric is called where others of its name may be: with its model and what it was asked about. */
export function columnName(column: ScoreColumn, all: readonly ScoreColumn[]): string {
  const namesakes = all.filter(({ metric }) => metric === column.metric);
  if (namesakes.length === 1) return column.metric;
  const model = column.model.replace(/@[^@]*?(?= [+/] |$)/g, "");
  const isOneModel = namesakes.every((other) => other.model === column.model);
  const isOneText = namesakes.every((other) => other.against === column.against);
  return [
    column.metric,
    ...(isOneModel ? [] : [model]),
    ...(isOneText ? [] : [againstText[column.against]]),
    ...(column.trial === 0 ? [] : [`trial ${column.trial}`]),
  ].join(", ");
}
