import type { z } from "zod";
import type { JsonObject } from "../../core/json.js";
import type { ColumnKinds } from "../../tables/columns.js";
import type { BlockSettings, ProtocolName } from "../config/study-config.js";
import type { FindEntity, ImageSource } from "../items/sources/image-source.js";
import type { LabelStudioForm } from "../label-studio/label-studio-form.js";
import type { PeopleMetric } from "../people-metric/people-metric.js";
import type { StudyItem } from "../study.js";

/** A checked row of a block's table. */
export interface ItemRow {
  /** The columns that the protocol declares. */
  readonly row: Readonly<Record<string, unknown>>;
  /** The others. */
  readonly beside: JsonObject;
  /** Finds the item's entity, where somebody did; not where a column names its mask. */
  readonly find?: FindEntity | undefined;
  /** Such as "in items.csv, line 3", where it stands in a table. */
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
   * A list in an order drawn for this participant, the same each time it is asked for.
   *
   * @param of whose list it is, where an item has several
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
 * experts save on a sheet of `audit-sheet`, which its `--collect` reads.
 */
export type TableName = (typeof tableNames)[number];

export type TableCell = string | number | null;
export type AnswerTable = readonly Readonly<Record<string, TableCell>>[];

/**
 * How people are shown items and how they answer: one plain object in a file of `protocols/`. What is
 * specific to one protocol stands in it alone; assignment, server and exports know this contract.
 */
export interface Protocol {
  readonly name: ProtocolName;
  /** Raised whenever the same item would be shown otherwise. */
  readonly version: number;
  /** The columns of its table; `id` included. */
  readonly columns: ColumnKinds;
  /** Makes items of a table's rows. @throws InputError for rows that make none. */
  items(rows: readonly ItemRow[]): readonly ItemDraft[];
  /** Makes rows of the images of a run or a folder. @throws InputError where they give none. */
  rowsOf(source: ImageSource): readonly ItemRow[];
  /** The item as the browser receives it: no model, no file, no column beside. */
  present(showing: Showing): JsonObject;
  /**
   * Steps shown one after the other, where an item is not shown all at once: for each step the models whose
   * images it shows, by the labels that the browser knows. One step of no model where not given.
   */
  steps?(showing: Showing): readonly (readonly ShownModel[])[];
  /** The schema of an answer to what was shown. */
  answer(showing: Showing): z.ZodType<JsonObject>;
  /** The answer as it is recorded: in the item's own terms, whatever the order it was shown in. */
  recorded(answer: JsonObject, showing: Showing): JsonObject;
  /** The schema of column `value` of a gold table, as a recorded answer. */
  known(value: string, settings: BlockSettings): JsonObject | undefined;
  /** One word or number for an answer, for agreement, gold items and repeats; null: no answer. */
  value(answer: JsonObject): TableCell;
  /** The button that gave a recorded answer, where its place is drawn; else `value` names it. */
  button?(answer: JsonObject, swapped: boolean): TableCell;
  /** How its answers become a score of an image; not where they compare images. */
  readonly asMetric?: PeopleMetric;
  /** How it is asked in Label Studio; not where that has no such question. */
  readonly labelStudio?: LabelStudioForm;
  /** The other tables; `agreement` is made of `value`. */
  readonly tables: Partial<Record<TableName, (answers: readonly CountedAnswer[]) => AnswerTable>>;
  /** How many items a table of majorities leaves out, since their answers have none. */
  undecided?(answers: readonly CountedAnswer[], table: TableName): number;
}
