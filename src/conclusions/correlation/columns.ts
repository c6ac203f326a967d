import { InputError } from "../../core/errors.js";
import { listText } from "../../core/list-text.js";
import { type ColumnKind, numeric, optionalText } from "../../tables/columns.js";
import { raterColumns } from "../../tables/rater-names.js";
import type { Tells } from "../../tables/shapes.js";
import { tableRows } from "../../tables/table-rows.js";
import type { Judged } from "../ratings.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";
import { joinRepeated, RowsByMetric, type WideRow, type WideTable } from "./item-rows.js";
import { isNoMetric, NumericColumns } from "./numeric-columns.js";

/** Ratings beside metrics, in a column of that name or of raters'. */
export const tells: Tells = {
  sideBySide(columns, numbers) {
    const raters = raterColumns(numbers, []);
    const known = ["id", "prompt", "rating", ...raters];
    const human = columns.includes("rating") ? "rating" : raters.join(",");
    const isRated = human !== "" && numbers.some((column) => !known.includes(column));
    return isRated ? ["--human", human] : undefined;
  },
};

const itemColumns = { id: optionalText, prompt: optionalText };

/**
 * Reads a table with a row for each item, people's judgement in some columns and a metric in each
 * other: those named, or else every column that holds nothing but numbers and is neither a rater's nor
 * of ids. A table with a row for each result, as `score` writes it, becomes one where its column
 * `metric` has several; its metrics stand in `value`, its prompts in `text`.
 *
 * @param options.people the columns with people's judgement.
 * @param options.kind what these hold.
 * @param options.isRating whether each is a rating; a table with a row for each rating then becomes one
 *   with a row for each item.
 * @param options.metrics the columns to compare with it; undefined for all numeric ones.
 * @param options.groups the columns that name the group of a row.
 * @param options.controls columns of numbers that are held constant, and are no metrics.
 * @throws InputError as `tableRows` does; for a column that has numbers in some rows and something
 *   else in others, unless the metrics are named; where no metric is left; and where several metrics'
 *   rows can't be brought together.
 */
export async function readWideTable(
  given: GivenTable,
  {
    people,
    kind,
    isRating,
    metrics,
    groups,
    controls = [],
    inputs,
  }: {
    readonly people: readonly string[];
    readonly kind: ColumnKind<Judged>;
    readonly isRating: boolean;
    readonly metrics: readonly string[] | undefined;
    readonly groups: readonly string[];
    readonly controls?: readonly string[] | undefined;
    readonly inputs: Inputs;
  },
): Promise<WideTable> {
  const name = tableName(given);
  const request = await tableRequest(given, inputs);
  const map = request.map ?? {};
  const columns: Readonly<Record<string, ColumnKind<Judged | string | undefined>>> = {
    ...itemColumns,
    ...Object.fromEntries(groups.map((column) => [column, groupName])),
    ...Object.fromEntries([...(metrics ?? []), ...controls].map((column) => [column, numeric])),
    ...Object.fromEntries(people.map((column) => [column, kind])),
  };
  const others = new NumericColumns([
    ...Object.keys(itemColumns).map((to) => (Object.hasOwn(map, to) ? (map[to] ?? to) : to)),
    // Beside the other three counts true negatives are people's, too.
    ...[...people, ...groups, ...controls, ...(isRating ? [] : ["tn"])].map((to) =>
      Object.hasOwn(map, to) ? (map[to] ?? to) : to,
    ),
  ]);

  const items: Omit<WideRow, "scores">[] = [];
  const named: (number | null)[][] = [];
  const byMetric = new RowsByMetric();
  let areResults = true;
  for await (const { place, rowName, row, all, isText } of tableRows({
    ...request,
    columns,
    otherShape: meltedShape,
  })) {
    const judged = (column: string): readonly (number | null)[] => {
      const value = row[column];
      return typeof value === "object" && value !== null ? value : [numberOf(value)];
    };
    const isResult = Object.hasOwn(all, "metricVersion") && Object.hasOwn(all, "value");
    areResults &&= isResult;
    const id = wordsOf(row.id);
    const prompt = wordsOf(row.prompt) ?? (isResult ? wordsOf(all.text) : undefined);
    const group =
      groups.length > 1
        ? groups.map((column) => `${column}=${wordsOf(row[column])}`).join(", ")
        : groups.map((column) => wordsOf(row[column]))[0];
    const isNamed = id !== undefined || typeof all.image === "string";
    const item = isNamed ? JSON.stringify([id, all.image, all.text, prompt, group]) : undefined;
    items.push({
      id: id ?? rowName,
      prompt,
      group,
      item,
      people: people.flatMap(judged),
      controls: controls.map((column) => numberOf(row[column])),
    });
    byMetric.add(all);
    if (metrics === undefined) others.add(all, { place, isText });
    else named.push(metrics.map((column) => numberOf(row[column])));
  }
  const numbers = metrics ?? (areResults ? ["value"] : others.names(name));
  const raters = metrics === undefined ? raterColumns(numbers, people) : [];
  const strangers =
    metrics === undefined
      ? numbers.filter((column) => !raters.includes(column) && isNoMetric(column, people))
      : [];
  const found = numbers.filter((column) => !raters.includes(column) && !strangers.includes(column));
  const notes = [
    ...(raters.length === 0
      ? []
      : [
          `${listText(raters)} ${raters.length === 1 ? "looks like a rater's column and is no metric" : "look like raters' columns and are no metrics"}; ` +
            "--metrics names those that are",
        ]),
    ...(strangers.length === 0
      ? []
      : [
          `${listText(strangers)} ${strangers.length === 1 ? "is" : "are"} about a rating or an image, no metric by the name; ` +
            `compared: ${listText(found)}; --metrics names others`,
        ]),
    ...others.asText.map(
      (column) => `${column} holds numbers as text and is left out; --metrics ${column} reads it`,
    ),
  ];
  if (found.length === 0) {
    throw new InputError(
      `Expected a metric's column of numbers beside ${[...people, ...raters].join(", ")} in ${name}`,
      { hint: "Name it: --metrics my_metric" },
    );
  }
  const rows = items.map((item, at) => ({
    ...item,
    scores: named[at] ?? found.map((metric) => others.value(metric, at)),
  }));
  const table = byMetric.split({ metrics: found, rows, notes }, { name, isRating });
  if (!isRating) return table;
  const joined = joinRepeated(table.rows);
  return { ...table, rows: joined.rows, notes: [...table.notes, ...joined.notes] };
}

/** Says where people's ratings belong in a table whose rows name their metric. */
const meltedShape = (columns: readonly string[]) =>
  columns.includes("metric")
    ? "Here a row is one metric's score: people's ratings stand in a column beside it, not in rows of their own"
    : undefined;

const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

/** Name of a row's group; of rows without one, the group of these. */
const groupName: ColumnKind<string> = {
  isRequired: true,
  read(cell, about) {
    const found = optionalText.read(cell, about);
    return "value" in found ? { value: found.value ?? "(empty)" } : found;
  },
};

const wordsOf = (value: unknown) => (typeof value === "string" ? value : undefined);

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
