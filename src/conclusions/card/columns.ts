import { comparisons } from "../../analysis/pairs/prototypicality-effect.js";
import { cardDegradations } from "../../analysis/trust-card/trust-card-images.js";
import type { CardRow } from "../../analysis/trust-card/trust-card-rows.js";
import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import {
  type ColumnKind,
  optionalAnswer,
  optionalText,
  probability,
  rating,
  score,
  type TextKind,
} from "../../tables/columns.js";
import { rowsOf } from "../../tables/shapes.js";
import { readTable } from "../../tables/table.js";
import { intervalArguments, tieArguments } from "../shared-options.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";

/** The same where the column may be missing. */
const optional = <Kind extends ColumnKind<unknown>>(kind: Kind): Kind => ({
  ...kind,
  isRequired: false,
});

const level: typeof score = {
  ...optional(score),
  isNumber: (value) => Number.isInteger(value) && value >= 0,
  read(cell, about) {
    const read = score.read(cell, about);
    const value = "value" in read ? read.value : undefined;
    return value === null || (value !== undefined && Number.isInteger(value) && value >= 0)
      ? { value }
      : { expected: "a whole number of at least 0 or nothing" };
  },
};

const wordOf = (words: readonly string[]): TextKind<string | undefined> => ({
  holds: "text",
  isRequired: false,
  read(cell, about) {
    const read = optionalText.read(cell, about);
    return "value" in read && (read.value === undefined || words.includes(read.value))
      ? read
      : { expected: `one of ${words.join(", ")} or nothing` };
  },
});

const kinds = {
  id: optionalText,
  metric: optionalText,
  prompt: optionalText,
  image: optionalText,
  score: optional(score),
  comparison: wordOf([...comparisons, "attribute-swap"]),
  domain: optionalText,
  knob: optionalText,
  correct: optional(score),
  adversarial: optional(score),
  first: optional(probability),
  turned: optional(probability),
  equal: optionalAnswer,
  human: optional(rating),
  label: optionalAnswer,
  probability: optional(probability),
  trial: optionalText,
  paraphrase: optionalText,
  degradation: wordOf(cardDegradations),
  level,
  seconds: optional(score),
  cost: optional(score),
};

/** Results of score. */
const written = [{ mark: "metricVersion", names: { score: "value", prompt: "text" } }];

/** One metric's rows of a table. */
export interface MetricRows {
  readonly metric: string;
  readonly rows: readonly CardRow[];
}

/**
 * Reads a table of scores with whatever columns of a card it has, metric by metric. A table without a
 * column `metric` is about one, which goes by the table's name.
 *
 * @throws InputError as `readTable` does, and for a table with none of the columns.
 */
export async function readCardTable(given: GivenTable, inputs: Inputs): Promise<MetricRows[]> {
  const name = tableName(given);
  const request = await tableRequest(given, inputs);
  const table = await readTable({ ...request, written, shape: { kinds } });
  const has = (...columns: readonly (keyof typeof kinds)[]) => columns.every(table.has);
  if (!has("score") && !has("correct") && !has("first", "turned")) {
    const columns = "score, or correct and adversarial, or first and turned";
    throw new InputError(`Expected a column ${columns}, in ${name}`, {
      hint: "If it has another name: --map score=my_column. A sample: touchstone example card",
    });
  }
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const absent = Object.fromEntries(
    names.flatMap((column) => (has(column) ? [] : [[column, undefined]])),
  );
  const metrics = new Map<string, CardRow[]>();
  let at = 0;
  for (const { id, metric = name, ...row } of rowsOf(table, kinds)) {
    const rows = metrics.get(metric) ?? [];
    metrics.set(metric, rows);
    rows.push({ ...row, ...absent, id: id ?? table.place(at) });
    at += 1;
  }
  return [...metrics].map(([metric, rows]) => ({ metric, rows }));
}

export const options = {
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    default: "higher",
    description: "for a table: which scores are better",
  },
  ...tieArguments,
  resamples: intervalArguments.resamples,
  seed: {
    ...intervalArguments.seed,
    description: "the random seed of the lab's pictures and the bootstrap",
  },
} as const satisfies Arguments;
