import { InputError } from "../../core/errors.js";
import { listText } from "../../core/list-text.js";
import { MetricNames } from "../../tables/metric-names.js";
import { averagedNote, sharedScores } from "../verbs/analyze/repeated-ratings.js";
import type { WideRow, WideTable } from "./wide-row.js";

/** A column of a table with a row for each result, of several metrics, is a column for each metric. */
export class RowsByMetric {
  readonly #names = new MetricNames();
  readonly #metrics: (string | undefined)[] = [];

  /** Notes which metric a row is of. */
  add(all: Readonly<Record<string, unknown>>): void {
    this.#metrics.push(this.#names.add(all));
  }

  /**
   * The table with one row for each item, and a column for each metric in place of each column in which
   * metrics differ. The table as it is where the column `metric` does not name several, or is one of
   * its numbers. Where rows of one item and metric differ in people's ratings alone, the item has all of
   * these ratings; else, of rows of one item that are alike, the first of each metric belong together,
   * then the second. A metric that has no row of an item leaves it unscored.
   *
   * @param options.isRating whether people's columns hold ratings.
   * @throws InputError where nothing says which rows are of one item.
   */
  split(
    table: WideTable,
    { name, isRating }: { readonly name: string; readonly isRating: boolean },
  ): WideTable {
    const names = this.#names.names();
    if (names.size < 2 || table.metrics.includes("metric")) return table;
    const rows = this.#named(table, name);
    const items = (isRating ? byRatings(rows) : undefined) ?? inTurn(rows);
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
    const several = items.filter(({ first, people }) => people.length > first.people.length);
    const ratings = several.reduce((sum, { people }) => sum + people.length, 0);
    return {
      ...table,
      notes: [...table.notes, ...averagedNote(ratings, several.length)],
      metrics: columns.map((column) => column.name),
      rows: items.map((item) => ({
        ...item.first,
        people: item.people,
        scores: columns.map(({ score }) => score(item)),
      })),
    };
  }

  #named({ rows }: WideTable, name: string): NamedRow[] {
    return rows.map((row, at) => {
      const metric = this.#metrics[at];
      if (row.item === undefined || metric === undefined) {
        throw this.#untold(name, { isMetric: metric === undefined });
      }
      return { ...row, item: row.item, metric };
    });
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

interface NamedRow extends WideRow {
  readonly item: string;
  readonly metric: string;
}

interface Item {
  readonly first: WideRow;
  readonly people: WideRow["people"];
  /** Its scores, by metric. */
  readonly of: Map<string, WideRow["scores"]>;
}

/** Items whose rows differ in people's ratings alone; undefined where a score of one differs. */
function byRatings(rows: readonly NamedRow[]): Item[] | undefined {
  const items: Item[] = [];
  for (const its of groupedBy(rows, ({ item }) => item).values()) {
    const of = new Map<string, WideRow["scores"]>();
    const ratings: (number | null)[][] = [];
    for (const [metric, own] of groupedBy(its, (row) => row.metric)) {
      const scores = sharedScores(own.map((row) => row.scores));
      if (scores === undefined) return undefined;
      of.set(metric, scores);
      ratings.push(own.flatMap(({ people }) => people));
    }
    const [first] = its;
    if (first !== undefined) items.push({ first, people: ratingsOf(ratings), of });
  }
  return items;
}

/** An item's ratings, once where its rows of each metric repeat them. */
function ratingsOf(ofMetrics: readonly (readonly (number | null)[])[]): readonly (number | null)[] {
  const given = ofMetrics
    .map((ratings) => ratings.filter((rating) => rating !== null))
    .filter(({ length }) => length > 0);
  const [first] = given;
  if (first === undefined) return [null];
  const inOrder = (ratings: readonly number[]) => [...ratings].sort((a, b) => a - b).join();
  return given.every((ratings) => inOrder(ratings) === inOrder(first)) ? first : given.flat();
}

/** Pairs rows that are alike, people's ratings included: the first of each metric, then the second. */
function inTurn(rows: readonly NamedRow[]): Item[] {
  const items = new Map<string, Item>();
  const times = new Map<string, number>();
  for (const row of rows) {
    const alike = JSON.stringify([row.item, row.people]);
    const time = times.get(row.metric + alike) ?? 0;
    times.set(row.metric + alike, time + 1);
    const key = `${time} ${alike}`;
    const known = items.get(key) ?? { first: row, people: row.people, of: new Map() };
    items.set(key, known);
    known.of.set(row.metric, row.scores);
  }
  return [...items.values()];
}

function groupedBy<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(nameOf(row));
    if (group === undefined) groups.set(nameOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
