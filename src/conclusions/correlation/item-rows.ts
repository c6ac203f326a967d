import { type RowDraws, someDraws } from "../../analysis/inference/row-draws.js";
import { InputError } from "../../core/errors.js";
import { ListBuilder, listAt, type NumberLists } from "../../core/number-lists.js";
import { listText } from "../../core/phrases.js";
import {
  codesTogether,
  inOrderOfRows,
  picked,
  type RowCodes,
  type RowsByCode,
  rowsByCode,
} from "../../core/row-codes.js";
import { type TextColumn, textColumn } from "../../core/text-column.js";
import { pluralText } from "../../views/number-text.js";

/** A row for each item: what people said in their columns and what each metric did; NaN where nobody answered. */
export interface WideTable {
  readonly id: TextColumn;
  readonly prompt: TextColumn;
  /** Undefined where no column was named for it. */
  readonly group: TextColumn | undefined;
  /** The same in all rows of one item; -1 where nothing names the item. */
  readonly item: RowCodes;
  /** In the order of people's columns; or all ratings of an item. */
  readonly people: NumberLists;
  readonly metrics: readonly string[];
  /** In the order of the metrics. */
  readonly scores: readonly Float64Array[];
  /** What partial correlations hold constant, in the order of its columns. */
  readonly controls: readonly Float64Array[];
  /** How rows were drawn, where `label plan` drew them. */
  readonly draws?: RowDraws | undefined;
  /** Notes on reading the table, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Rows of one item become one where they differ in people's ratings alone, as a table with a row for
 * each rating has them: its ratings are all of theirs, a metric's score the one that is there. Rows of
 * one item that differ in a score are left as they are, all of them: the id then names no item. What was
 * done is noted.
 */
export function joinRepeated(table: WideTable): WideTable {
  const items = itemsOf(table.item);
  const count = countOf(items);
  if (count === table.item.codes.length) return table;
  const one = { codes: new Int32Array(table.item.codes.length), count: 1 };
  const { scores, unlike } = sharedScores(items, table, one);
  if (unlike > 0) {
    return withNotes(table, [
      `${pluralText(unlike, "id")} ${unlike === 1 ? "has" : "have"} rows with different ` +
        "scores, so id names no item here and each row counts as one; in the intervals, too, unless a " +
        "prompt brings them together; --map id=id+other names an item by two columns",
    ]);
  }
  const people = new ListBuilder();
  let repeated = 0;
  let ratings = 0;
  for (let item = 0; item < count; item++) {
    const rows = rowsOfItem(items, item);
    if (rows.length > 1) repeated += 1;
    for (const rating of ratingsOfRows(table.people, rows)) {
      people.push(rating);
      if (rows.length > 1 && !Number.isNaN(rating)) ratings += 1;
    }
    people.end();
  }
  return withNotes(
    {
      ...firstRows(table, firstOf(items)),
      people: people.lists(),
      scores: scores.map(([its]) => its ?? new Float64Array()),
    },
    averagedNote(ratings, repeated),
  );
}

/**
 * The table with one row for each item, and a column for each metric in place of each column in which
 * metrics differ, of one with a row for each result. The table as it is where the column `metric` does not
 * name several, or is one of its numbers. Where rows of one item and metric differ in people's ratings alone,
 * the item has all of these ratings; else, of rows of one item that are alike, the first of each metric belong
 * together, then the second. A metric that has no row of an item leaves it unscored.
 *
 * @param metric of each row.
 * @param options.isRating whether people's columns hold ratings.
 * @throws InputError where nothing says which rows are of one item.
 */
export function splitByMetric(
  table: WideTable,
  { codes, names }: TextColumn,
  { name, isRating }: { readonly name: string; readonly isRating: boolean },
): WideTable {
  if (names.length < 2 || table.metrics.includes("metric")) return table;
  checkNamed(table, { codes, names, name });
  const metric = { codes, count: names.length };
  const { items, people, ofMetrics } =
    (isRating ? byRatings(table, metric) : undefined) ?? inTurn(table, metric);
  const differs = table.metrics.map(
    (column, at) => column === "value" || isUnlike(ofMetrics[at] ?? [], items, metric),
  );
  const whole = table.metrics.filter((_, column) => differs[column] !== true);
  const isOne = whole.length === table.metrics.length - 1;
  const first = firstOf(items);
  const columns = table.metrics.flatMap((column, at) =>
    differs[at] === true
      ? names.map((each, source) => ({
          name: isOne && !whole.includes(each) ? each : `${each} ${column}`,
          scores: ofMetrics[at]?.[source] ?? new Float64Array(),
        }))
      : [{ name: column, scores: picked(table.scores[at] ?? new Float64Array(), first) }],
  );
  let several = 0;
  let ratings = 0;
  for (const [item, row] of first.entries()) {
    const { length } = listAt(people, item);
    if (length <= listAt(table.people, row).length) continue;
    several += 1;
    ratings += length;
  }
  return withNotes(
    {
      ...firstRows(table, first),
      people,
      metrics: columns.map((column) => column.name),
      scores: columns.map(({ scores }) => scores),
    },
    averagedNote(ratings, several),
  );
}

function checkNamed(
  { item }: WideTable,
  { codes, names, name }: TextColumn & { readonly name: string },
): void {
  const several = `since its column metric has ${listText([...names])}`;
  const at = codes.findIndex((code, row) => code < 0 || (item.codes[row] ?? -1) < 0);
  if (at < 0) return;
  throw (codes[at] ?? -1) < 0
    ? new InputError(`Expected a name in the column metric of each row in ${name}, ${several}`, {
        hint: "Analyse each metric's rows by themselves, or name the metric of the others",
      })
    : new InputError(`Expected the column id or image in each row of ${name}, ${several}`, {
        hint: "It says which rows are of one item: --map id=my_column; or give one metric's rows",
      });
}

/** Rows of each item, in the order in which items first occur; rows without one stand alone. */
function itemsOf({ codes, count }: RowCodes): RowsByCode {
  let next = count;
  const named = codes.map((code) => (code < 0 ? next++ : code));
  return rowsByCode(inOrderOfRows({ codes: named, count: next }));
}

const countOf = ({ start }: RowsByCode) => start.length - 1;

const rowsOfItem = ({ start, rows }: RowsByCode, item: number): Int32Array =>
  rows.subarray(start[item], start[item + 1]);

const firstOf = ({ start, rows }: RowsByCode) => picked(rows, start.subarray(0, -1));

/** What rows of one item have in common. */
const firstRows = (
  { id, prompt, group, item, controls, draws, ...table }: WideTable,
  rows: Int32Array,
) => ({
  ...table,
  ...(draws && { draws: someDraws(draws, rows) }),
  id: textsAt(id, rows),
  prompt: textsAt(prompt, rows),
  group: group && textsAt(group, rows),
  item: { ...item, codes: picked(item.codes, rows) },
  controls: controls.map((control) => picked(control, rows)),
});

const textsAt = ({ codes, names }: TextColumn, rows: Int32Array): TextColumn => ({
  codes: picked(codes, rows),
  names,
});

const withNotes = (table: WideTable, notes: readonly string[]): WideTable => ({
  ...table,
  notes: [...table.notes, ...notes],
});

/** Says that items had several ratings each; nothing of none. */
const averagedNote = (ratings: number, items: number): string[] =>
  items === 0
    ? []
    : [`${pluralText(ratings, "rating")} of ${pluralText(items, "id")} with several were averaged`];

/** Scores of each column, of these those of each metric, by item. */
type OfMetrics = readonly (readonly Float64Array[])[];

interface Items {
  readonly items: RowsByCode;
  readonly people: NumberLists;
  readonly ofMetrics: OfMetrics;
}

/** Joins scores of several rows of one item and metric, and counts the items of which two differ. */
function sharedScores(
  items: RowsByCode,
  { scores: columns }: WideTable,
  metric: RowCodes,
): { readonly scores: OfMetrics; readonly unlike: number } {
  const unlike = new Uint8Array(countOf(items));
  const scores = columns.map((own) => {
    const shared = ofEachMetric(metric, unlike.length);
    for (let item = 0; item < unlike.length; item++) {
      for (let at = items.start[item] ?? 0; at < (items.start[item + 1] ?? 0); at++) {
        const row = items.rows[at] ?? 0;
        const score = own[row] ?? Number.NaN;
        const its = shared[metric.codes[row] ?? 0];
        if (Number.isNaN(score) || its === undefined) continue;
        const known = its[item] ?? Number.NaN;
        if (!Number.isNaN(known) && known !== score) unlike[item] = 1;
        its[item] = score;
      }
    }
    return shared;
  });
  return { scores, unlike: unlike.reduce((sum, one) => sum + one, 0) };
}

const ofEachMetric = ({ count }: RowCodes, items: number): Float64Array[] =>
  Array.from({ length: count }, () => new Float64Array(items).fill(Number.NaN));

/** Items whose rows differ in people's ratings alone; undefined where a score of one differs. */
function byRatings(table: WideTable, metric: RowCodes): Items | undefined {
  const items = itemsOf(table.item);
  const { scores, unlike } = sharedScores(items, table, metric);
  if (unlike > 0) return undefined;
  const people = new ListBuilder();
  for (let item = 0; item < countOf(items); item++) {
    const rows = rowsOfItem(items, item);
    const metrics = inOrderOfRows({ ...metric, codes: picked(metric.codes, rows) });
    const places = rowsByCode(metrics);
    const ratings = Array.from({ length: metrics.count }, (_, which) =>
      ratingsOfRows(table.people, picked(rows, rowsOfItem(places, which))),
    );
    for (const rating of ratingsOf(ratings)) people.push(rating);
    people.end();
  }
  return { items, people: people.lists(), ofMetrics: scores };
}

const ratingsOfRows = (people: NumberLists, rows: Int32Array): number[] =>
  [...rows].flatMap((row) => [...listAt(people, row)]);

/** An item's ratings, once where its rows of each metric repeat them. */
function ratingsOf(ofMetrics: readonly (readonly number[])[]): readonly number[] {
  const given = ofMetrics
    .map((ratings) => ratings.filter((rating) => !Number.isNaN(rating)))
    .filter(({ length }) => length > 0);
  const [first] = given;
  if (first === undefined) return [Number.NaN];
  const inOrder = (ratings: readonly number[]) => [...ratings].sort((a, b) => a - b).join();
  return given.every((ratings) => inOrder(ratings) === inOrder(first)) ? first : given.flat();
}

/** Pairs rows that are alike, people's ratings included: the first of each metric, then the second. */
function inTurn(table: WideTable, metric: RowCodes): Items {
  const rows = table.item.codes.length;
  const said = textColumn(
    Array.from({ length: rows }, (_, row) => listAt(table.people, row).join()),
  );
  const alike = codesTogether(table.item, { codes: said.codes, count: said.names.length });
  const ofOne = codesTogether(alike, metric);
  const times = new Int32Array(ofOne.count);
  let most = 0;
  const time = ofOne.codes.map((code) => {
    const before = times[code] ?? 0;
    times[code] = before + 1;
    most = Math.max(most, before + 1);
    return before;
  });
  const items = itemsOf(codesTogether(alike, { codes: time, count: most }));
  const people = new ListBuilder();
  for (const row of firstOf(items)) {
    for (const rating of listAt(table.people, row)) people.push(rating);
    people.end();
  }
  return { items, people: people.lists(), ofMetrics: sharedScores(items, table, metric).scores };
}

/** Whether the metrics that have a row of an item differ in one. */
function isUnlike(
  ofMetrics: readonly Float64Array[],
  items: RowsByCode,
  { codes }: RowCodes,
): boolean {
  for (let item = 0; item < countOf(items); item++) {
    const [first = 0, ...others] = rowsOfItem(items, item);
    const scoreOf = (row: number) => ofMetrics[codes[row] ?? 0]?.[item];
    if (others.some((row) => !Object.is(scoreOf(row), scoreOf(first)))) return true;
  }
  return false;
}
