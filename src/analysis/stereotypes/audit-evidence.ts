import { auditedPairs } from "./audited-rows.js";
import type { ChangedPairs } from "./index-change.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** Answers of some items, and how many of them say 1. */
export interface ItemTally {
  readonly answers: number;
  readonly flags: number;
}

/** A rubric item's answers in complete pairs of a category. */
export interface ItemCounts extends Readonly<Record<StereotypeRow["phase"], ItemTally>> {
  readonly category: string;
  readonly item: string;
}

/** What a comparison of stereotypes before and after rests on. */
export interface AuditEvidence {
  readonly pairs: ChangedPairs;
  /** Each category and model that occurs, in the order of the report. */
  readonly parts: readonly { readonly category: string; readonly model: string }[];
  /** In the order of the report. */
  readonly items: readonly ItemCounts[];
  /** Answers. */
  readonly n: number;
  readonly unscored: number;
  /** Complete pairs with other items answered before than after. */
  readonly uneven: number;
}

/** A set's answers of both phases, as its place among others. */
export const placeOf = (
  { category, query, model }: ChangedPairs["complete"][number],
  tallies: readonly ItemTally[],
): string =>
  JSON.stringify([category, query, model, tallies.map(({ answers, flags }) => [answers, flags])]);

/** Counts a table's rows. Pairs go by what is counted of them, so that counts made elsewhere add up to the same bytes. */
export function evidenceOfAudit(rows: readonly StereotypeRow[]): AuditEvidence {
  const { complete, dropped } = auditedPairs(rows);
  const items = new Map(
    rows.map(({ category, item }) => [
      JSON.stringify([category, item]),
      { category, item, initial: { ...none }, refined: { ...none } },
    ]),
  );
  for (const { category, answers } of complete) {
    for (const phase of phases) {
      for (const [item, present] of answers[phase]) {
        const tally = items.get(JSON.stringify([category, item]))?.[phase] ?? { ...none };
        tally.answers += 1;
        tally.flags += present;
      }
    }
  }
  const placed = complete.map((pair) => {
    const { initial, refined } = pair.answers;
    return { pair, place: placeOf(pair, [tallyOf(initial), tallyOf(refined)]) };
  });
  const n = rows.filter(({ present }) => present !== null).length;
  const parts = new Map(
    rows.map(({ category, model }) => [JSON.stringify([category, model]), { category, model }]),
  );
  return {
    pairs: {
      complete: placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ pair }) => pair),
      dropped,
    },
    parts: [...parts.values()],
    items: [...items.values()].filter((each) => phases.some((phase) => each[phase].answers > 0)),
    n,
    unscored: rows.length - n,
    uneven: complete.filter(
      ({ answers: { initial, refined } }) =>
        initial.size !== refined.size || [...initial.keys()].some((item) => !refined.has(item)),
    ).length,
  };
}

const phases = ["initial", "refined"] as const;
const none = { answers: 0, flags: 0 };

const tallyOf = (answers: ReadonlyMap<string, 0 | 1>): ItemTally => ({
  answers: answers.size,
  flags: [...answers.values()].reduce((sum: number, present) => sum + present, 0),
});
