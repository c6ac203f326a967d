import type { Recipe } from "../../core/recipe.js";
import type { RecordPosition, StepState } from "../../core/record-store.js";
import type { DrawnOverview } from "../../report/standing.js";
import type { RunDetail, RunList } from "../api.js";
import type { ShownAudit } from "../audits/audit-api.js";
import type { CardPage } from "../cards/studio-cards.js";

/** A file of an export, by its path in the folder. */
export interface ExportedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Data of an exported page on its run, beside the records. */
export interface ExportedRun {
  readonly list: RunList;
  readonly detail: RunDetail;
  readonly overview: DrawnOverview | null;
  readonly recipe: Recipe;
  /** Triplets that were excluded by hand, each with the reason. */
  readonly excluded: readonly (readonly [triplet: string, reason: string])[];
  readonly states: Readonly<Record<string, StepState>>;
  /** Where its images were judged for stereotypes. */
  readonly audit?: ShownAudit;
  /** Where its metrics have trust cards. */
  readonly cards?: CardPage;
  /** Where each image lies beside the page, by its SHA-256, whole if it was to be and small. */
  readonly images: Readonly<
    Record<
      string,
      {
        readonly whole: string | null;
        readonly small: string;
        /** Its name in commands where the run lies. */
        readonly named: string | null;
      }
    >
  >;
  /** Files of what localised metrics showed of each entity, by score; "" where it was the whole image. */
  readonly looks: Readonly<Record<string, readonly string[]>>;
  /** The conventions of the metrics that the command line names. */
  readonly conventions: Readonly<Record<string, readonly string[]>>;
}

/** A record as it is kept. */
export type ExportedRecord = readonly [
  step: string,
  value: unknown,
  position: RecordPosition,
  isInOrder: boolean,
];

/** Globals that the scripts beside an exported page set before it begins. */
export interface ExportedGlobals {
  touchstoneRun?: ExportedRun;
  touchstoneRecords?: ExportedRecord[];
  /** Entries of the run's trace, but for raw replies. */
  touchstoneTrace?: unknown[];
  /** The script of the worker that analyses tables. */
  touchstoneWorker?: string;
}
