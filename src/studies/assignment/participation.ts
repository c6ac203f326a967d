/**
 * Why somebody is shown an item: it needs answers, its answer is known (gold), they answered it
 * before (repeat), or they learn by it what is asked (practice). Only answers to the first kind count towards
 * `ratingsPerItem`; those to the last count for nothing.
 */
export type AssignmentKind = "item" | "gold" | "repeat" | "practice";

/** An item that one person is to answer next, or has answered. */
export interface Assignment {
  readonly block: string;
  readonly item: string;
  readonly kind: AssignmentKind;
  /** Whether the sides of a pair are exchanged. */
  readonly swapped: boolean;
}

/** An assignment that is over: answered, or skipped. */
export interface DoneAssignment extends Assignment {
  readonly isAnswered: boolean;
}

/** One that was shown and not answered yet; `at` is the time in milliseconds. */
export interface OpenAssignment extends Assignment {
  readonly at: number;
}

/** One person as assignment needs to know them. */
export interface Participation {
  /** The how-manieth person to join, from 0: what the order of their items is drawn by. */
  readonly ordinal: number;
  readonly done: readonly DoneAssignment[];
  readonly open: OpenAssignment | undefined;
}
