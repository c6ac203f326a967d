import { withoutRevision } from "../core/models.js";
import type { ScoreColumn, TextKind } from "./api.js";

export const againstText: Readonly<Record<TextKind, string>> = {
  own: "its own prompt",
  prompt: "the benchmark's text",
  swapped: "attributes swapped",
  other: "another text",
};

type Named = Pick<
  ScoreColumn,
  "metric" | "model" | "convention" | "template" | "against" | "trial"
>;

/** Names a metric beside others, with every member in which one of the same name differs. */
export function columnName(column: Named, all: readonly Named[]): string {
  const namesakes = all.filter(({ metric }) => metric === column.metric);
  const differing = ([member]: readonly [keyof Named, string | undefined]) =>
    namesakes.some((other) => other[member] !== column[member]);
  const models = namesakes.map(({ model }) => model);
  const told = [
    ["model", nameApart(column.model, models)],
    ["convention", column.convention],
    ["template", column.template],
    ["against", againstText[column.against]],
    ["trial", column.trial === 0 ? undefined : `trial ${column.trial}`],
  ] as const;
  const parts = told.filter(differing).flatMap(([, text]) => text ?? []);
  return [column.metric, ...parts].join(", ");
}

/** A model's name, without its revision where that is told apart from the others anyway. */
export const nameApart = (model: string, all: readonly string[]): string => {
  const short = withoutRevision(model);
  return all.some((other) => other !== model && withoutRevision(other) === short) ? model : short;
};
