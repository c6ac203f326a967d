import type { UnscoredReason } from "../../core/unscored.js";

/** Metrics of a file of scores, as its page shows them. */
export interface ScoreFileDetail {
  readonly id: string;
  readonly name: string;
  readonly metrics: readonly ScoredMetric[];
}

/** One metric, with one model, of a file of scores. */
export interface ScoredMetric {
  /** Names it in addresses. */
  readonly id: string;
  readonly metric: string;
  readonly model: string;
  readonly convention: string | null;
  readonly statistic: string | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly direction: "higher" | "lower";
  readonly scored: number;
  readonly reasons: readonly { readonly reason: UnscoredReason; readonly rows: number }[];
}

export interface ScoredRowPage {
  readonly rows: readonly ScoredRow[];
  readonly total: number;
  /** Cursor of the next page; null on the last. */
  readonly next: string | null;
}

export interface ScoredRow {
  /** Its place in the file, from 0; its image is asked for by it. */
  readonly at: number;
  readonly image: string;
  readonly text: string;
  readonly value: number | null;
  readonly reason: UnscoredReason | null;
  /** Why there is no score; null with one. */
  readonly detail: string | null;
}
