import { InputError } from "../../core/errors.js";
import { ListBuilder, listAt, type NumberLists } from "../../core/number-lists.js";
import { listText } from "../../core/phrases.js";
import { codesTogether, codesWithNone, inOrderOfRows, rowsByCode } from "../../core/row-codes.js";
import { shellWord } from "../../core/shell-word.js";
import { nameCount, type TextColumn, textColumn } from "../../core/text-column.js";
import {
  type ColumnKind,
  type ColumnKinds,
  type ListKind,
  numeric,
  optionalText,
  type TextKind,
} from "../../tables/columns.js";
import { decimalCommaHint } from "../../tables/decimal-comma.js";
import { metricColumns, metricOfRows } from "../../tables/metric-names.js";
import { isIdentifier, raterColumns } from "../../tables/rater-names.js";
import type { FoundColumn } from "../../tables/shapes.js";
import { readTable } from "../../tables/table.js";
import {
  type DrawColumns,
  drawKindsWithProbability,
  drawNames,
  drawsOfRows,
} from "../draw-columns.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";
import { joinRepeated, splitByMetric, type WideTable } from "./item-rows.js";

const itemColumns = { id: optionalText, prompt: optionalText };
const namingColumns = { image: optionalText, text: optionalText, ...metricColumns };

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
 * @throws InputError as `readTable` does; for a column that has numbers in some rows and something
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
    readonly kind: ListKind<readonly (number | null)[]>;
    readonly isRating: boolean;
    readonly metrics: readonly string[] | undefined;
    readonly groups: readonly string[];
    readonly controls?: readonly string[] | undefined;
    readonly inputs: Inputs;
  },
): Promise<WideTable> {
  const name = tableName(given);
  const request = await tableRequest(given, inputs);
  const named = (columns: readonly string[], its: ColumnKind<unknown>) =>
    Object.fromEntries(columns.map((column) => [column, its]));
  const kinds: ColumnKinds = {
    ...namingColumns,
    ...itemColumns,
    ...drawKindsWithProbability,
    ...named(groups, groupName),
    ...named([...(metrics ?? []), ...controls], numeric),
    ...named(people, kind),
  };
  // Beside the other three counts true negatives are people's, too.
  const own = [...Object.keys(itemColumns), ...people, ...groups, ...controls];
  const taken = [...own, ...(isRating ? [] : ["tn"])].map((to) => request.map?.[to] ?? to);
  const table = await readTable({
    ...request,
    shape: {
      kinds,
      otherShape: meltedShape,
      ...(metrics === undefined && {
        others: (column: string) => !taken.includes(column) && !isIdentifier(column),
      }),
    },
  });
  const { has, length, others } = table;
  // The columns of these names are of these kinds.
  const columns = table.columns as unknown as Readonly<
    Record<string, TextColumn & Float64Array & NumberLists>
  >;
  const isAskedFor = [...(metrics ?? []), ...people, ...groups, ...controls].some(
    (name) => name in drawKindsWithProbability,
  );
  const draws = isAskedFor
    ? undefined
    : drawsOfRows({ columns: table.columns as unknown as DrawColumns, has });
  const isResult = has("metricVersion");
  const numbers =
    metrics ??
    (isResult && others.some((column) => column.name === "value")
      ? ["value"]
      : numericColumns(
          others.filter((column) => draws === undefined || !drawNames.includes(column.name)),
          { rows: length, table: name },
        ));
  const raters = metrics === undefined ? raterColumns(numbers, people) : [];
  const strangers =
    metrics === undefined
      ? numbers.filter((column) => !raters.includes(column) && isNoMetric(column, people))
      : [];
  const found = numbers.filter((column) => !raters.includes(column) && !strangers.includes(column));
  const asText = others.filter(
    ({ count, fractionsAsText }) => count === 0 && fractionsAsText > length / 2,
  );
  const worded = others.filter(
    ({ count, worded: { count: held } }) => count === 0 && held > length / 2,
  );
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
    ...asText.map(
      (column) =>
        `${column.name} holds numbers as text and is left out; --metrics ${column.name} reads it`,
    ),
    ...worded.map(
      (column) =>
        `${column.name} holds numbers among words, such as ${column.worded.first}, and is left out: write them alone to compare it`,
    ),
  ];
  if (found.length === 0) {
    throw new InputError(
      `Expected a metric's column of numbers beside ${[...people, ...raters].join(", ")} in ${name}`,
      { hint: `Name it: --metrics ${shellWord(likelyMetric(others) ?? "my_metric")}` },
    );
  }
  const numbersOf = (column: string) =>
    (metrics === undefined ? others.find((one) => one.name === column)?.values : columns[column]) ??
    new Float64Array(length).fill(Number.NaN);
  const textsOf = (column: string): TextColumn =>
    columns[column] ?? { codes: new Int32Array(length).fill(-1), names: [] };
  const group = groupOf(groups, textsOf);
  const prompt = isResult ? eitherOf(textsOf("prompt"), textsOf("text")) : textsOf("prompt");
  const [id, image] = [textsOf("id"), textsOf("image")];
  const naming = ["id", "image", "text", "prompt"].filter((column) => has(column)).map(textsOf);
  const { codes, count } = [...naming, ...(group === undefined ? [] : [group])]
    .map(codesWithNone)
    .reduce(codesTogether, { codes: new Int32Array(length), count: 1 });
  const isNamed = (row: number) => (id.codes[row] ?? -1) >= 0 || (image.codes[row] ?? -1) >= 0;
  const wide: WideTable = {
    id: withRowNames(id, (row) => table.rowName(row)),
    prompt,
    group,
    item: { codes: codes.map((code, row) => (isNamed(row) ? code : -1)), count },
    people: listsTogether(people.flatMap((column) => columns[column] ?? [])),
    metrics: found,
    scores: found.map(numbersOf),
    controls: controls.map((column) => columns[column] ?? new Float64Array(length)),
    ...(draws && { draws }),
    notes,
  };
  const split = splitByMetric(
    wide,
    metricOfRows(
      table.columns,
      id.codes.map((_, row) => row),
    ),
    { name, isRating },
  );
  return isRating ? joinRepeated(split) : split;
}

/** A column whose numbers are texts, or stand in objects: `scores.clip`. */
function likelyMetric(others: readonly FoundColumn[]): string | undefined {
  const asText = others.find(({ fractionsAsText }) => fractionsAsText > 0)?.name;
  const names = others.flatMap(({ name, odd }) => {
    const [, member] = /^\{"([^"]+)":-?[\d.]/.exec(odd ?? "") ?? [];
    return member === undefined ? [] : [`${name}.${member}`];
  });
  return asText ?? names[0];
}

/** The group of each row by one column, or by several together; undefined where none was named. */
function groupOf(
  groups: readonly string[],
  textsOf: (column: string) => TextColumn,
): TextColumn | undefined {
  const columns = groups.map(textsOf);
  const [first] = columns;
  if (first === undefined || columns.length < 2) return first;
  const { codes, count } = inOrderOfRows(columns.map(codesWithNone).reduce(codesTogether));
  const { start, rows } = rowsByCode({ codes, count });
  const names = Array.from({ length: count }, (_, group) => {
    const row = rows[start[group] ?? 0] ?? 0;
    const words = columns.map((column) => column.names[column.codes[row] ?? -1]);
    return words.map((word, at) => `${groups[at]}=${word}`).join(", ");
  });
  return { codes, names };
}

/** The texts of one column, and where it has none those of another. */
function eitherOf(one: TextColumn, other: TextColumn): TextColumn {
  if (nameCount(one) === 0) return other;
  if (nameCount(other) === 0 || !one.codes.includes(-1)) return one;
  const at = ({ codes, names }: TextColumn, row: number) => names[codes[row] ?? -1];
  return textColumn(Array.from(one.codes.keys(), (row) => at(one, row) ?? at(other, row)));
}

/** Names of rows where a column has none; they are made when they are first asked for. */
function withRowNames(column: TextColumn, rowName: (row: number) => string): TextColumn {
  if (!column.codes.includes(-1)) return column;
  const unnamed = column.codes.map((code, row) => (code < 0 ? row : -1)).filter((row) => row >= 0);
  let count = nameCount(column);
  let names: readonly string[] | undefined;
  return {
    codes: column.codes.map((code) => (code < 0 ? count++ : code)),
    count,
    get names() {
      names ??= [...column.names, ...Array.from(unnamed, rowName)];
      return names;
    },
  };
}

/** Joins the lists of several columns: a row has those of the first column, then those of the next. */
function listsTogether(columns: readonly NumberLists[]): NumberLists {
  const [first] = columns;
  if (first === undefined || columns.length === 1) return first ?? new ListBuilder().lists();
  const together = new ListBuilder();
  for (let row = 0; row < first.start.length - 1; row++) {
    for (const column of columns) for (const value of listAt(column, row)) together.push(value);
    together.end();
  }
  return together.lists();
}

/** Says where people's ratings belong in a table whose rows name their metric. */
const meltedShape = (columns: readonly string[]) =>
  columns.includes("metric")
    ? "Here a row is one metric's score: people's ratings stand in a column beside it, not in rows of their own"
    : undefined;

/** Name of a row's group; of rows without one, the group of these. */
const groupName: TextKind<string> = {
  holds: "text",
  isRequired: true,
  read(cell, about) {
    const found = optionalText.read(cell, about);
    return "value" in found ? { value: found.value ?? "(empty)" } : found;
  },
};

/** How many: a number of at least 0, or null where nobody counted. */
export const counts: ListKind<readonly (number | null)[]> = {
  holds: "lists",
  isRequired: true,
  isAmount: true,
  read(cell, about) {
    const read = numeric.read(cell, about);
    return "value" in read && (read.value ?? 0) >= 0
      ? { value: [read.value] }
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

/**
 * Names of the columns that hold numbers.
 *
 * @param rows how many the table has.
 * @throws InputError for a column that has numbers in some rows and something else in others, or in most rows
 *   numbers in another form, such as 71.2 %.
 */
export const numericColumns = (
  found: readonly FoundColumn[],
  { rows, table }: { readonly rows: number; readonly table: string },
): string[] =>
  found.flatMap(({ name, count, odd, dressed }) => {
    if (count === 0 && dressed.count > rows / 2) {
      throw new InputError(
        `Expected numbers or nothing for ${name} but received ${dressed.first} (in ${table})`,
        {
          hint: `${decimalCommaHint(dressed.first) ?? "Write plain numbers, such as 71.2 or 0.712."} Or name the metrics to use: --metrics a,b`,
        },
      );
    }
    if (count > 0 && odd !== undefined) {
      throw new InputError(
        `Expected numbers or nothing for ${name} but received ${odd} (in ${table})`,
        {
          hint: `${decimalCommaHint(odd) ?? `Correct it${noAnswerHint(odd)}.`} Or name the metrics to use: --metrics a,b`,
        },
      );
    }
    return count > 0 ? [name] : [];
  });

/** Names the flag by which a short word means no answer; nothing for another cell. */
function noAnswerHint(odd: string): string {
  const [, word] = /^("(?:[^",\\]|\\[^"]){1,30}") in /.exec(odd) ?? [];
  return word === undefined
    ? ""
    : `, or say that it means no answer (--unscored ${shellWord(JSON.parse(word))})`;
}

/** Columns about a rating, an image or how it was made, by names that hold no score. */
const aboutOthers = [
  /^(?:(?:image|img|picture|prompt|item|pair|sample|row)[-_. ]?)?(?:#|no\.?|nr\.?|number|idx|index|row)$/i,
  /^(?:n|num|number|no|count)[-_. ]?(?:of[-_. ])?(?:raters?|ratings?|votes?|annotators?|annotations?|workers?|labels?|images?|samples?|tokens?|(?:inference[-_. ])?steps?)$/i,
  /(?:^|[-_. ])(?:seed|width|height|timestamp|latency|duration|runtime|elapsed|bytes|file[-_. ]?size)$/i,
  /^(?:(?:inference[-_. ])?steps?|cfg|(?:cfg|guidance)(?:[-_. ]?scale)?|times?|timestamps?|created(?:[-_. ]?at)?|dates?|year|month|day|hour|epoch|batch(?:[-_. ]?size)?|fold|tokens?|(?:prompt|completion|total)[-_. ]tokens|costs?|price|age|rank(?:ing)?|order|iteration|round|trial|session|attempt)$/i,
  /[-_. ](?:ms|secs?|seconds|minutes|usd|dollars|[kmg]b|px|pixels)$/i,
];

/** Behind a rating's name, or before it: what is said of it beside its value. */
const ofRating =
  /^[-_. ]?(?:std|stdev|std[-_. ]?dev|sd|sem|se|stderr|var|variance|n|count|num|min|max|low|high|lower|upper|ci[-_. ]?(?:low|high|lower|upper)?|raters?|votes?|mean|avg|average|median|mode|sum|total|raw|norm(?:alized|alised)?|scaled|z)[-_. ]?$/i;

/**
 * Whether a column of numbers is none of a metric's by its name: a row's number (#), about people's ratings (rating_std,
 * n_raters) or how an image was made (seed, width).
 */
export const isNoMetric = (name: string, people: readonly string[]): boolean =>
  aboutOthers.some((about) => about.test(name)) ||
  people.some(
    (rating) =>
      (name.startsWith(rating) && ofRating.test(name.slice(rating.length))) ||
      (name.endsWith(rating) && ofRating.test(name.slice(0, -rating.length))),
  );
