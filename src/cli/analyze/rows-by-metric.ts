import { InputError } from "../../core/errors.js";
import { listText } from "../../core/list-text.js";
import { MetricNames } from "./metric-names.js";
import type { WideTable } from "./wide-table.js";

/** A column of a table with a row for each result, of several metrics, is a column for each metric. */
export class RowsByMetric {
  readonly #names = new MetricNames();
  readonly #rows: ({ readonly metric: string; readonly item: string | undefined } | undefined)[] =
    [];

  /** Notes which metric a row is of, and which item. */
  add(
    all: Readonly<Record<string, unknown>>,
    {
      id,
      prompt,
      people,
    }: {
      readonly id: string | undefined;
      readonly prompt: string | undefined;
      readonly people: readonly (number | null)[];
    },
  ): void {
    const metric = this.#names.add(all);
    if (metric === undefined) {
      this.#rows.push(undefined);
      return;
    }
    const { image, text } = all;
    const isKnown = id !== undefined || typeof image === "string";
    const item = isKnown ? JSON.stringify([id, image, text, prompt, people]) : undefined;
    this.#rows.push({ metric, item });
  }

  /**
   * The table with one row for each item, and a column for each metric in place of each column in which
   * metrics differ. The table as it is where the column `metric` does not name several, or is one of
   * its numbers. Of rows of one item that are alike the first of each metric belong together, then the
   * second; a metric that has no row of an item leaves it unscored.
   *
   * @throws InputError where nothing says which rows are of one item.
   */
  split(table: WideTable, name: string): WideTable {
    const names = this.#names.names();
    if (names.size < 2 || table.metrics.includes("metric")) return table;
    const items = this.#items(table, name);
    const differs = table.metrics.map(
      (metric, column) =>
        metric === "value" ||
        items.some(({ of }) => new Set([...of.values()].map((each) => each[column])).size > 1),
    );
    const whole = table.metrics.filter((_, column) => differs[column] !== true);
    const isOne = whole.length === table.metrics.length - 1;
    const columns = table.metrics.flatMap((metric, column) =>
      differs[column] === true
        ? [...names].map(([source, each]) => ({
            name: isOne && !whole.includes(each) ? each : `${each} ${metric}`,
            score: (item: Item) => item.of.get(source)?.[column] ?? null,
          }))
        : [{ name: metric, score: (item: Item) => item.first.scores[column] ?? null }],
    );
    return {
      metrics: columns.map((column) => column.name),
      rows: items.map((item) => ({
        ...item.first,
        scores: columns.map(({ score }) => score(item)),
      })),
    };
  }

  #items({ rows }: WideTable, name: string): Item[] {
    const items = new Map<string, Item>();
    const times = new Map<string, number>();
    for (const [at, row] of rows.entries()) {
      const told = this.#rows[at];
      if (told?.item === undefined) throw this.#untold(name, { isMetric: told === undefined });
      const { metric, item } = told;
      const time = times.get(metric + item) ?? 0;
      times.set(metric + item, time + 1);
      const key = `${time} ${item}`;
      const known = items.get(key) ?? { first: row, of: new Map() };
      items.set(key, known);
      known.of.set(metric, row.scores);
    }
    return [...items.values()];
  }

  #untold(name: string, { isMetric }: { readonly isMetric: boolean }): InputError {
    const several = `since its column metric has ${listText([...this.#names.names().values()])}`;
    return isMetric
      ? new InputError(`Expected a name in the column metric of each row in ${name}, ${several}`, {
          hint: "Analyse each metric's rows by themselves, or name the metric of the others",
        })
      : new InputError(`Expected the column id or image in each row of ${name}, ${several}`, {
          hint: "It says which rows are of one item: --map id=my_column; or give one metric's rows",
        });
  }
}

interface Item {
  readonly first: WideTable["rows"][number];
  /** What each metric's row of it has. */
  readonly of: Map<string, readonly (number | null)[]>;
}
