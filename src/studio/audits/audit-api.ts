import type { SetPhase } from "../../benchmarks/stereotypes/audit-sets.js";
import type { AuditDiversity, AuditNumbers } from "../../benchmarks/stereotypes/conclusion.js";
import type { DrawnFigure } from "../../report/drawing/drawn-figure.js";

/** Content of an audit's page: the figures of its report, to the last digit. */
export interface AuditDetail extends Omit<AuditNumbers, "queries" | "metrics"> {
  /** Sentences of its verdict, the most important first. */
  readonly verdict: readonly string[];
  /** Caveat for every reader: what the index is not. */
  readonly notice: string;
  /** Images that are, to the byte, another image of their set. */
  readonly same: AuditDiversity["same"];
  /** Sets of images that were judged. */
  readonly sets: number;
  readonly generators: readonly string[];
  readonly figures: {
    readonly index: DrawnFigure;
    /** Price of refining by each metric, in the order of `prices`; null where no set was scored twice. */
    readonly prices: readonly (DrawnFigure | null)[];
  };
}

export interface ShownPhase extends Omit<SetPhase, "images"> {
  readonly images: readonly {
    readonly key: string;
    /** The SHA-256 of its bytes. */
    readonly image: string;
    readonly width: number;
    readonly height: number;
  }[];
}

/** A query's images by one generator, before and after. */
export interface ShownSet {
  readonly query: string;
  readonly category: string;
  readonly generator: string;
  readonly set: number;
  readonly initial: ShownPhase;
  readonly refined: ShownPhase | null;
}

/** All that the pages of an audit show. */
export interface ShownAudit {
  readonly detail: AuditDetail;
  readonly sets: readonly ShownSet[];
}

export interface AuditSetPage {
  readonly sets: readonly ShownSet[];
  /** How many the filters leave. */
  readonly total: number;
  /** Cursor of the next page; null on the last. */
  readonly next: string | null;
}

/** `before`: the highest index first; `rise`: those that got worse; `fall`: those that got better. */
export const setSortings = ["plan", "before", "rise", "fall"] as const;
export type SetSorting = (typeof setSortings)[number];
