import { InputError } from "../../core/errors.js";
import { readTable } from "../../files/table.js";
import { type ColumnKind, numeric, optionalText, score } from "../../files/table-columns.js";
import type { Environment } from "../environment.js";
import { RowsByMetric } from "./rows-by-metric.js";
import { type GivenTable, tableName, tableRequest } from "./table-arguments.js";

const itemColumns = { id: optionalText, prompt: optionalText };

/** A row for each item: what people said in their columns and what each metric did. */
export interface WideTable {
  readonly metrics: readonly string[];
  readonly rows: readonly {
    readonly id: string;
    readonly prompt: string | undefined;
    /** In the order of people's columns; null where nobody answered. */
    readonly people: readonly (number | null)[];
    /** In the order of the metrics. */
    readonly scores: readonly (number | null)[];
  }[];
}

/**
 * Reads a table with a row for each item, people's judgement in some columns and a metric in each
 * other: those named, or else every column that holds nothing but numbers. A table with a row for each
 * result, as `score` writes it, becomes one where its column `metric` has several.
 *
 * @param options.people the columns with people's judgement.
 * @param options.kind what these hold.
 * @param options.metrics the columns to compare with it; undefined for all numeric ones.
 * @throws InputError as `readTable` does; for a column that has numbers in some rows and something
 *   else in others, unless the metrics are named; where no metric is left; and where several metrics'
 *   rows can't be brought together.
 */
export async function readWideTable(
  given: GivenTable,
  {
    people,
    kind,
    metrics,
    environment,
  }: {
    readonly people: readonly string[];
    readonly kind: ColumnKind<number | null>;
    readonly metrics: readonly string[] | undefined;
    readonly environment: Environment;
  },
): Promise<WideTable> {
  const name = tableName(given);
  const request = tableRequest(given, environment);
  const map = request.map ?? {};
  const columns: Readonly<Record<string, ColumnKind<string | number | null | undefined>>> = {
    ...itemColumns,
    ...Object.fromEntries((metrics ?? []).map((column) => [column, numeric])),
    ...Object.fromEntries(people.map((column) => [column, kind])),
  };
  const others = new NumericColumns([
    ...Object.keys(itemColumns).map((to) => (Object.hasOwn(map, to) ? (map[to] ?? to) : to)),
    ...people,
  ]);

  const items: Omit<WideTable["rows"][number], "scores">[] = [];
  const named: (number | null)[][] = [];
  const byMetric = new RowsByMetric();
  for await (const { line, row, all, isText } of readTable({ ...request, columns })) {
    const number = (column: string) => {
      const value = row[column];
      return typeof value === "number" ? value : null;
    };
    const words = (column: string) => {
      const value = row[column];
      return typeof value === "string" ? value : undefined;
    };
    const item = { id: words("id"), prompt: words("prompt"), people: people.map(number) };
    items.push({ ...item, id: item.id ?? `line ${line}` });
    byMetric.add(all, item);
    if (metrics === undefined) others.add(all, { line, isText });
    else named.push(metrics.map(number));
  }
  const found = metrics ?? others.names(name);
  if (found.length === 0) {
    throw new InputError(
      `Expected a metric's column of numbers beside ${people.join(", ")} in ${name}`,
      {
        hint: "Name it: --metrics my_metric",
      },
    );
  }
  const rows = items.map((item, at) => ({
    ...item,
    scores: named[at] ?? found.map((metric) => others.value(metric, at)),
  }));
  return byMetric.split({ metrics: found, rows }, name);
}

/** How many: a number of at least 0, or null where nobody counted. */
export const count: ColumnKind<number | null> = {
  isRequired: true,
  read(cell, about) {
    const read = numeric.read(cell, about);
    return "value" in read && (read.value ?? 0) >= 0
      ? read
      : { expected: "a number of at least 0 or nothing" };
  },
};

/** The metrics that were named, each once; undefined where none was. */
export function parseMetrics(
  text: string | undefined,
  people: readonly string[],
): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find(
    (each, at) => each === "" || people.includes(each) || names.indexOf(each) < at,
  );
  if (wrong === undefined) return names;
  throw new InputError(
    `Expected different columns for --metrics, none of them ${people.join(", ")}, but received "${text}"`,
  );
}

/** Finds out which columns hold numbers while the rows come. */
class NumericColumns {
  readonly #columns = new Map<string, { values: (number | null)[]; odd?: string }>();
  readonly #others: readonly string[];
  #rows = 0;

  constructor(others: readonly string[]) {
    this.#others = others;
  }

  add(
    all: Readonly<Record<string, unknown>>,
    { line, isText }: { readonly line: number; readonly isText: boolean },
  ): void {
    for (const [name, cell] of Object.entries(all)) {
      if (this.#others.includes(name)) continue;
      const column = this.#columns.get(name) ?? { values: [] };
      this.#columns.set(name, column);
      const read = score.read(cell, { isText });
      if ("value" in read) column.values[this.#rows] = read.value;
      else column.odd ??= `${JSON.stringify(cell)} in line ${line}`;
    }
    this.#rows += 1;
  }

  names(table: string): string[] {
    return [...this.#columns].flatMap(([name, { values, odd }]) => {
      const hasNumbers = values.some((value) => value !== null);
      if (hasNumbers && odd !== undefined) {
        throw new InputError(
          `Expected numbers or nothing for ${name} but received ${odd} (in ${table})`,
          {
            hint:
              "Mend it, or say what means no answer, such as --unscored NaN, or name the metrics, so " +
              "that other columns are left alone: --metrics a,b",
          },
        );
      }
      return hasNumbers ? [name] : [];
    });
  }

  value(name: string, row: number): number | null {
    return this.#columns.get(name)?.values[row] ?? null;
  }
}
