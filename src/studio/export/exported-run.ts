import type { Recipe } from "../../core/recipe.js";
import type { RecordPosition, StepState } from "../../core/record-store.js";
import type { DrawnOverview } from "../../report/overviews/standing-overview.js";
import type { RunDetail, RunList } from "../api.js";

/** What an exported page holds of its run, beside the records. */
export interface ExportedRun {
  readonly list: RunList;
  readonly detail: RunDetail;
  readonly overview: DrawnOverview | null;
  readonly recipe: Recipe;
  readonly states: Readonly<Record<string, StepState>>;
  /** Where each image lies beside the page, by its SHA-256, whole if it was to be and small. */
  readonly images: Readonly<
    Record<string, { readonly whole: string | null; readonly small: string }>
  >;
}

/** A record as it is kept. */
export type ExportedRecord = readonly [
  step: string,
  value: unknown,
  position: RecordPosition,
  isInOrder: boolean,
];

/** What the scripts beside an exported page say before the page itself begins. */
export interface ExportedGlobals {
  touchstoneRun?: ExportedRun;
  touchstoneRecords?: ExportedRecord[];
  /** The script of the worker that analyses tables. */
  touchstoneWorker?: string;
}
