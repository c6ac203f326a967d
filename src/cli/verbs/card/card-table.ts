import { comparisons } from "../../../analysis/pairs/prototypicality-effect.js";
import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import {
  type GivenTable,
  type Inputs,
  tableName,
  tableRequest,
} from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { degradations } from "../../../images/degrade.js";
import {
  type ColumnKind,
  optionalAnswer,
  optionalText,
  probability,
  rating,
  score,
} from "../../../tables/columns.js";
import { tableRows } from "../../../tables/table-rows.js";

/** The same where the column may be missing: then undefined, and null where the cell is empty. */
const optional = <Value>(kind: ColumnKind<Value>): ColumnKind<Value | undefined> => ({
  isRequired: false,
  read: (cell, about) => (cell === undefined ? { value: undefined } : kind.read(cell, about)),
});

const level: ColumnKind<number | null | undefined> = {
  isRequired: false,
  read(cell, about) {
    const read = score.read(cell, about);
    const value = "value" in read ? read.value : undefined;
    return value === null || (Number.isInteger(value) && (value ?? -1) >= 0)
      ? { value }
      : { expected: "a whole number of at least 0 or nothing" };
  },
};

const wordOf = (words: readonly string[]): ColumnKind<string | undefined> => ({
  isRequired: false,
  read(cell, about) {
    const read = optionalText.read(cell, about);
    return "value" in read && (read.value === undefined || words.includes(read.value))
      ? read
      : { expected: `one of ${words.join(", ")} or nothing` };
  },
});

/** Values of the column `comparison`. */
const pairComparisons = [...comparisons, "attribute-swap"];

const columns = {
  id: optionalText,
  metric: optionalText,
  prompt: optionalText,
  image: optionalText,
  score: optional(score),
  comparison: wordOf(pairComparisons),
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
  degradation: wordOf(degradations),
  level,
  seconds: optional(score),
  cost: optional(score),
};

/** Results of score. */
const written = { mark: "metricVersion", names: { score: "value", prompt: "text" } };

/** One metric's rows of a table. */
export interface MetricRows {
  readonly metric: string;
  readonly rows: readonly CardRow[];
}

/**
 * Reads a table of scores with whatever columns of a card it has, metric by metric. A table without a
 * column `metric` is about one, which goes by the table's name.
 *
 * @throws InputError as `tableRows` does, and for a table with none of the columns.
 */
export async function readCardTable(given: GivenTable, inputs: Inputs): Promise<MetricRows[]> {
  const name = tableName(given);
  const request = await tableRequest(given, inputs);
  const metrics = new Map<string, CardRow[]>();
  for await (const { place, row } of tableRows({ ...request, columns, written })) {
    const { id = place, metric = name, ...rest } = row;
    const rows = metrics.get(metric) ?? [];
    metrics.set(metric, rows);
    rows.push({ id, ...rest });
  }
  const all = [...metrics.values()].flat();
  const isBare = ({ score, correct, first, turned }: CardRow) =>
    [score, correct].every((cell) => cell === undefined) &&
    (first === undefined || turned === undefined);
  if (all.every(isBare)) {
    const columns = "score, or correct and adversarial, or first and turned";
    throw new InputError(`Expected a column ${columns}, in ${name}`, {
      hint: "If it has another name: --map score=my_column. A sample: touchstone example card",
    });
  }
  return [...metrics].map(([metric, rows]) => ({ metric, rows }));
}
