import { InputError } from "../../core/errors.js";
import type { Arguments, Given } from "../../core/options.js";
import { listText } from "../../core/phrases.js";
import { decimalNumber } from "../../core/read-json.js";
import { type RatingScale, ratingScales } from "../../stats/krippendorff-alpha.js";
import {
  isBoolean,
  isNotAvailable,
  optionalText,
  type TextKind,
  text,
} from "../../tables/columns.js";
import { metricColumns, metricOfRows } from "../../tables/metric-names.js";
import { isPerson, raterColumns } from "../../tables/rater-names.js";
import { parseValues, recoded, valuesArgument } from "../../tables/recoded-column.js";
import type { Table, TableShape } from "../../tables/shapes.js";
import { pluralText } from "../../views/number-text.js";
import { inColumns } from "../conclusion.js";
import { differentNames, intervalArguments } from "../shared-options.js";
import { type GivenTable, type Inputs, tableName } from "../table-options.js";

export const options = {
  scale: {
    kind: "choice",
    choices: ratingScales,
    required: true,
    description: "the level of measurement: categories, ordered categories, or numbers",
  },
  categories: {
    kind: "text",
    value: "A,B,C",
    description: "all categories, in order (default: the values found, sorted)",
  },
  raters: {
    kind: "text",
    value: "A,B",
    description: "one column for each annotator, instead of the columns annotator and value",
  },
  ...valuesArgument,
  resamples: intervalArguments.resamples,
  seed: intervalArguments.seed,
} as const satisfies Arguments;

export type RatingsAsked = Pick<
  Given<typeof options>,
  "scale" | "categories" | "raters" | "values"
>;
export type Ratings = Readonly<
  Record<"item" | "annotator" | "value", TextKind<string | undefined>>
>;

/** A row for each rating; with --raters, a row for each item and a column for each annotator. */
export function ratingColumns({
  scale,
  categories,
  raters,
  values,
}: RatingsAsked): TableShape<Ratings> {
  const value = recoded(
    categoryColumn({ scale, categories: parseCategories(categories) }),
    parseValues(values),
  );
  if (raters === undefined) {
    return {
      kinds: { item: text, annotator: optionalText, value },
      unique: ["item", "annotator"],
      otherShape: raterShape,
    };
  }
  const names = parseRaters(raters);
  const told = Object.entries(metricColumns).filter(([column]) => !names.includes(column));
  return {
    kinds: { ...Object.fromEntries(told), item: optionalText, annotator: optionalText, value },
    unique: ["item"],
    rowNames: "item",
    sideBySide: {
      given: new Map(names.map((name) => [name, [name]])),
      name: "annotator",
      values: ["value"],
    },
  };
}

/**
 * Reads ratings.
 *
 * @throws InputError as `readTable` does, and where --raters has rows without a name that are results of
 *   several metrics, so that an item may have several.
 */
export async function readRatings<Kinds extends Ratings = Ratings>(
  given: GivenTable & RatingsAsked,
  inputs: Inputs,
  columns: (given: RatingsAsked) => TableShape<Kinds>,
): Promise<Table<Kinds>> {
  const table = await inColumns(columns)(given, inputs);
  if (given.raters !== undefined) {
    checkOneMetric(table, tableName(given));
    const across = acrossWarning(table, parseRaters(given.raters));
    if (across !== undefined) inputs.tell?.(across, true);
  }
  return table;
}

/** Says that rows may be people and columns items, the other way round than --raters reads them. */
function acrossWarning(
  { names, length }: Table<Ratings>,
  raters: readonly string[],
): string | undefined {
  const person = names.find((name) => isPerson(name) && !raters.includes(name));
  const items = length / raters.length;
  if (person === undefined && raters.length <= items) return undefined;
  const why =
    person === undefined
      ? `${raters.length} columns and ${pluralText(items, "row")}`
      : `its column ${person}`;
  return (
    `by ${why} the table may have a row for each person, but --raters takes its rows for items and its columns for ` +
    `people; if so, make a row of each rating: df.melt(id_vars=${JSON.stringify(person ?? "person")}, var_name="item")` +
    `, then --map annotator=${person ?? "person"}`
  );
}

export function parseCategories(given: string | undefined): string[] | undefined {
  return given === undefined
    ? undefined
    : differentNames("categories", given, {
        nameOf: categoryName,
        hint: "In their order, such as --categories 1,2,3,4,5",
      });
}

const parseRaters = (given: string) =>
  differentNames("raters", given, {
    what: "columns",
    hint: "The columns with an annotator's ratings each, such as --raters anna,ben",
  });

/** Says which flag reads a table with a column for each annotator, where this may be one. */
function raterShape(names: readonly string[]): string | undefined {
  if (names.includes("value")) return undefined;
  const named = raterColumns(names, []);
  const others = names.filter((name) => !isPerson(name));
  const found =
    named.length > 1 ? named : others.filter((name) => raterColumns([name], others).length > 0);
  return found.length < 2
    ? undefined
    : `With a column for each annotator: --raters ${found.join(",")}`;
}

function checkOneMetric(table: Table<Ratings>, name: string): void {
  const { codes, names: items } = table.columns.item;
  const isUnnamed = (row: number) => items[codes[row] ?? -1] === table.rowName(row);
  const unnamed = Int32Array.from(codes.keys()).filter(isUnnamed);
  const { names } = metricOfRows(table.columns, unnamed);
  if (names.length < 2) return;
  throw new InputError(
    `Expected the column item in ${name}, since its column metric has ${listText(names)}`,
    {
      hint: "Give the rows of one metric; or say what is rated in each row: --map item=my_column",
    },
  );
}

/**
 * A number in whatever spelling is one category: 3, "3" and 3.0; true and false in any case, too. Other words stay
 * as they are.
 */
function categoryName(text: string): string {
  const trimmed = text.trim();
  if (isBoolean(trimmed)) return trimmed.toLowerCase();
  return String(decimalNumber(trimmed) ?? trimmed);
}

/**
 * A column of ratings, which may be missing: of the categories, if there are such, on the scale. NA, n/a and
 * the like are missing ratings, as everywhere, unless the categories name them; where words are no numbers,
 * "none" is one of them.
 */
function categoryColumn({
  scale,
  categories,
}: {
  readonly scale: RatingScale;
  readonly categories: readonly string[] | undefined;
}): TextKind<string | undefined> {
  const allowed = categories === undefined ? undefined : new Set(categories);
  return {
    isRequired: true,
    holds: "text",
    read(cell, about) {
      const found = optionalText.read(cell, about);
      if (!("value" in found) || found.value === undefined) return found;
      const value = categoryName(found.value);
      const isWord = scale === "nominal" && value.toLowerCase() === "none";
      if (isNotAvailable(value) && !isWord && !allowed?.has(value)) return { value: undefined };
      if (allowed !== undefined && !allowed.has(value)) {
        return { expected: `one of ${[...allowed].join(", ")}` };
      }
      return scale === "interval" && decimalNumber(value) === undefined
        ? { expected: "a number or nothing" }
        : { value };
    },
  };
}
