import type { z } from "zod";
import { groupBy } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import type { ColumnKinds } from "../../tables/columns.js";
import type { BlockSettings } from "../config/study-config.js";
import type { FindEntity, ImageSource } from "../items/sources/image-source.js";
import type { LabelStudioForm } from "../label-studio/label-studio-form.js";
import type { PeopleMetric } from "../people-metric/people-step.js";
import type { StudyItem } from "../study.js";

/** A checked row of a block's table. */
export interface ItemRow {
  /** The columns that the protocol declares. */
  readonly row: Readonly<Record<string, unknown>>;
  /** The others. */
  readonly beside: JsonObject;
  /** Finds the item's entity in the image; missing where no mask is known or a column names one. */
  readonly find?: FindEntity | undefined;
  /** Place in the table, such as "in items.csv, line 3"; missing for items of a run or a folder. */
  readonly place?: string | undefined;
}

/** An item before its images are read; `images` are paths as the table has them. */
export interface ItemDraft {
  readonly id: string;
  readonly images: readonly string[];
  readonly content: JsonObject;
  readonly beside: JsonObject;
  readonly find?: FindEntity | undefined;
  /** Returns the place in the table that names an image of it, such as "in items.csv, line 3". */
  readonly placeOf?: ((image: string) => string | undefined) | undefined;
}

/** An item as one participant is shown it. */
export interface Showing {
  readonly item: StudyItem;
  readonly settings: BlockSettings;
  /** The names that this participant's browser knows the item's images by, in the item's order. */
  readonly names: readonly string[];
  /** Whether the sides of a pair are exchanged. */
  readonly swapped: boolean;
  /**
   * Returns a list in an order drawn for this participant, the same each time.
   * @param of name of the list, where an item has several
   */
  drawn<Value>(list: readonly Value[], of?: string): readonly Value[];
}

/** A model as a browser knows it, and as the study does. */
export interface ShownModel {
  readonly label: string;
  readonly model: string;
}

/** An answer that counts, as tables are made of it. */
export interface CountedAnswer {
  readonly block: string;
  readonly item: StudyItem;
  readonly participant: string;
  /** The recorded answer; null where the participant skipped the item. */
  readonly answer: JsonObject | null;
  readonly swapped: boolean;
}

export const tableNames = [
  "agreement",
  "contrastive",
  "compare",
  "calibrate",
  "attributes",
  "stereotypes",
  "correlation",
  "preferences",
  "labels",
] as const;

/**
 * The `analyze` table (for calibrate and compare: the verb's) that answers become. Labels are what
 * experts save on a sheet of `study page`, which its `--collect` reads.
 */
export type TableName = (typeof tableNames)[number];

export type TableCell = string | number | null;
export type AnswerTable = readonly Readonly<Record<string, TableCell>>[];

/**
 * How people are shown items and how they answer: one plain object in a file of `protocols/`. Only this
 * object knows the protocol; assignment, server and exports know this contract.
 */
export interface Protocol {
  /** Raised whenever the same item would be shown differently. */
  readonly version: number;
  /** What its answers are when a study is planned: ordered levels, yes or no, wins of one side, or words. */
  readonly answers: "levels" | "shares" | "wins" | "words";
  /** Seconds that an answer takes where nothing else is known. */
  readonly seconds: number;
  /** The columns of its table; `id` included. */
  readonly columns: ColumnKinds;
  /** Makes items of a table's rows. @throws InputError for rows that make none. */
  items(rows: readonly ItemRow[]): readonly ItemDraft[];
  /** Makes rows of the images of a run or a folder. @throws InputError where they give none. */
  rowsOf(source: ImageSource): readonly ItemRow[];
  /** The item as the browser receives it: without model, file and the columns beside. */
  present(showing: Showing): JsonObject;
  /**
   * Steps of an item that is shown in parts: for each step the models whose images it shows, by the labels
   * that the browser knows. One step without a model where missing.
   */
  steps?(showing: Showing): readonly (readonly ShownModel[])[];
  /** The schema of an answer to what was shown. */
  answer(showing: Showing): z.ZodType<JsonObject>;
  /** The answer as it is recorded: in the item's own terms, independent of the order shown. */
  recorded(answer: JsonObject, showing: Showing): JsonObject;
  /** Reads column `value` of a gold table as a recorded answer; undefined where it is none. */
  known(value: string, settings: BlockSettings): JsonObject | undefined;
  /** A word or number for an answer, for agreement, gold items and repeats; null for no answer. */
  value(answer: JsonObject): TableCell;
  /** The button that gave a recorded answer, where its place is drawn; else `value` names it. */
  button?(answer: JsonObject, swapped: boolean): TableCell;
  /** How its answers become a score of an image; missing for protocols that compare images. */
  readonly asMetric?: PeopleMetric;
  /** How it is asked in Label Studio; missing where Label Studio has no such question. */
  readonly labelStudio?: LabelStudioForm;
  /** The other tables; `agreement` is made of `value`. */
  readonly tables: Partial<Record<TableName, (answers: readonly CountedAnswer[]) => AnswerTable>>;
  /** Number of items without a majority, which a table of majorities leaves out. */
  undecided?(answers: readonly CountedAnswer[], table: TableName): number;
}

/** Groups answers by their item, in the order in which items first occur. */
export const byItem = (
  answers: readonly CountedAnswer[],
): { readonly item: StudyItem; readonly answers: readonly CountedAnswer[] }[] =>
  [...groupBy(answers, ({ item }) => item)].map(([item, own]) => ({ item, answers: own }));

/** Arithmetic mean; null for an empty list. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A column beside an item, as text; undefined where it is missing or empty. */
export function besideText(item: Pick<StudyItem, "beside">, column: string): string | undefined {
  const value = item.beside[column];
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

/** The columns beside an item that a table can hold in a cell. */
export function besideCells(item: StudyItem): Record<string, TableCell> {
  return Object.fromEntries(
    Object.entries(item.beside).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || value === null
        ? [[name, value]]
        : [],
    ),
  );
}

/**
 * A column beside an item, as text.
 *
 * @throws InputError where it is missing or empty.
 */
export function requiredBeside(item: StudyItem, column: string): string {
  const value = besideText(item, column);
  if (value !== undefined) return value;
  throw new InputError(
    `Expected a column ${column} beside the study's items but ${item.id} has none`,
    { hint: `Add the column ${column} to the block's table and create the study anew.` },
  );
}
