import { InputError } from "../../core/errors.js";
import { listText } from "../../core/list-text.js";
import { MetricNames } from "../../tables/metric-names.js";
import { pluralText } from "../../views/number-text.js";

/** A row of a wide table. */
export interface WideRow {
  readonly id: string;
  readonly prompt: string | undefined;
  /** Its group; undefined where no column was named for it. */
  readonly group: string | undefined;
  /** The same in all rows of one item; undefined where nothing names the item. */
  readonly item: string | undefined;
  /** In the order of people's columns, null where nobody answered; or all ratings of an item. */
  readonly people: readonly (number | null)[];
  /** In the order of the metrics. */
  readonly scores: readonly (number | null)[];
  /** What partial correlations hold constant, in the order of its columns. */
  readonly controls: readonly (number | null)[];
}

/** A row for each item: what people said in their columns and what each metric did. */
export interface WideTable {
  readonly metrics: readonly string[];
  readonly rows: readonly WideRow[];
  /** Notes on reading the table, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Rows of one item become one where they differ in people's ratings alone, as a table with a row for
 * each rating has them: its ratings are all of theirs, a metric's score the one that is there. Rows of
 * one item that differ in a score are left as they are, all of them: the id then names no item.
 *
 * @returns the rows, and a sentence that says what was done, if anything.
 */
export function joinRepeated(rows: readonly WideRow[]): {
  readonly rows: readonly WideRow[];
  readonly notes: readonly string[];
} {
  const items = new Map<string, WideRow[]>();
  for (const [at, row] of rows.entries()) {
    const item = row.item ?? `${at}`;
    const known = items.get(item);
    if (known === undefined) items.set(item, [row]);
    else known.push(row);
  }
  const repeated = [...items.values()].filter(({ length }) => length > 1);
  if (repeated.length === 0) return { rows, notes: [] };
  const unlike = repeated.filter(
    (its) => sharedScores(its.map(({ scores }) => scores)) === undefined,
  );
  if (unlike.length > 0) {
    return {
      rows,
      notes: [
        `${pluralText(unlike.length, "id")} ${unlike.length === 1 ? "has" : "have"} rows with different ` +
          "scores, so id names no item here and each row counts as one; in the intervals, too, unless a " +
          "prompt brings them together; --map id=id+other names an item by two columns",
      ],
    };
  }
  const joined = [...items.values()].map((its): WideRow => {
    const [first] = its;
    if (first === undefined) throw new RangeError("Expected a row of each item");
    const scores = sharedScores(its.map((row) => row.scores)) ?? first.scores;
    return its.length === 1
      ? first
      : { ...first, scores, people: its.flatMap((row) => row.people) };
  });
  const ratings = repeated
    .flat()
    .flatMap(({ people }) => people.filter((rating) => rating !== null));
  return { rows: joined, notes: averagedNote(ratings.length, repeated.length) };
}

/** Says that items had several ratings each; nothing of none. */
const averagedNote = (ratings: number, items: number): string[] =>
  items === 0
    ? []
    : [`${pluralText(ratings, "rating")} of ${pluralText(items, "id")} with several were averaged`];

/** Joins scores of several rows of one item, place by place; undefined where two differ. */
function sharedScores(
  rows: readonly (readonly (number | null)[])[],
): (number | null)[] | undefined {
  const shared = [...(rows[0] ?? [])];
  for (const row of rows) {
    for (const [at, score] of row.entries()) {
      const known = shared[at] ?? null;
      if (score === null) continue;
      if (known !== null && known !== score) return undefined;
      shared[at] = score;
    }
  }
  return shared;
}

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
