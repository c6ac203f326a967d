import type { Item } from "../api.js";

/** A run's images as prompts by models, as pages and server exchange it: types only. */

export interface GridPage {
  /** What stands above the cells: models, or the roles of images where one model made all. */
  readonly columns: readonly string[];
  /** Ids of the metrics whose scores the cells hold; the first judges which cell is best. */
  readonly shown: readonly string[];
  readonly items: readonly GridRow[];
  /** How many rows the filters leave. */
  readonly total: number;
  readonly next: string | null;
  readonly version: number;
  /** Whether all records were read; until then cells lack scores. */
  readonly isReady: boolean;
}

export interface GridRow {
  readonly text: string;
  readonly sample: number;
  /** Absent where roles are the columns, or all images have one. */
  readonly role?: string;
  /** By columns; null where there is no such image. */
  readonly cells: readonly (GridCell | null)[];
  /** Whether the metric's best is none of those that people like best; null without either. */
  readonly isAgainstPeople: boolean | null;
}

export interface GridCell {
  readonly item: Item;
  /** Whether the metric scores none higher: several of a row tie. */
  readonly isBest: boolean;
  readonly isPeoplesChoice: boolean;
  /** Whether it meets the filters; in a row that is shown, one does. */
  readonly isMeant: boolean;
}
