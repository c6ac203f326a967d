import type { StereotypeRow } from "./stereotype-row.js";

/** One set of images before and after: a query, a model and the set's name. */
export interface AuditedPair {
  readonly category: string;
  readonly query: string;
  readonly model: string;
  readonly imageSet: string;
  /** The answered items of each phase. */
  readonly answers: Readonly<Record<StereotypeRow["phase"], ReadonlyMap<string, 0 | 1>>>;
}

/** Sets with an answered item before and after, and their Social Stereotype Index. */
export interface CompletePair extends AuditedPair {
  readonly initial: number;
  readonly refined: number;
}

export interface AuditedPairs {
  readonly complete: readonly CompletePair[];
  /** Pairs without an answer before or after. */
  readonly dropped: readonly AuditedPair[];
}

/**
 * Rows put together to sets, in an order of their own: how the rows are ordered changes no sum.
 */
export function auditedPairs(rows: readonly StereotypeRow[]): AuditedPairs {
  const found = new Map<string, ReturnType<typeof emptyPair>>();
  for (const row of rows) {
    const key = JSON.stringify([row.category, row.query, row.model, row.imageSet]);
    let pair = found.get(key);
    if (pair === undefined) {
      pair = emptyPair(row);
      found.set(key, pair);
    }
    if (row.present !== null) pair.answers[row.phase].set(row.item, row.present);
  }
  const complete: CompletePair[] = [];
  const dropped: AuditedPair[] = [];
  for (const [, pair] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { initial, refined } = pair.answers;
    if (initial.size === 0 || refined.size === 0) dropped.push(pair);
    else complete.push({ ...pair, initial: meanOf(initial), refined: meanOf(refined) });
  }
  return { complete, dropped };
}

const emptyPair = ({ category, query, model, imageSet }: StereotypeRow) => ({
  category,
  query,
  model,
  imageSet,
  answers: { initial: new Map<string, 0 | 1>(), refined: new Map<string, 0 | 1>() },
});

function meanOf(answers: ReadonlyMap<string, 0 | 1>): number {
  let sum = 0;
  for (const present of answers.values()) sum += present;
  return sum / answers.size;
}
